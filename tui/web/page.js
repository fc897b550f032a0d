// The terminal asks this address for its process, and its size of letters. Both are known only to the browser.
addEventListener("DOMContentLoaded", () => {
  const terminal = document.querySelector("#terminal");
  const address = new URL("ws", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.search = "";
  terminal.dataset.sessionWebsocketUrl = address.href;
  const size = Number(new URLSearchParams(location.search).get("fontsize"));
  if (size >= 6 && size <= 60) terminal.dataset.fontSize = size;
  document.querySelector("button").addEventListener("click", () => location.reload());
});

// Keys reach the terminal without a click first.
addEventListener("load", () => setTimeout(() => document.querySelector(".xterm-helper-textarea")?.focus()));
