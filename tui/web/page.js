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

// The terminal says nothing about the end of its connection, and sends its size before there is one.
window.WebSocket = class extends WebSocket {
  constructor(...parts) {
    super(...parts);
    this.addEventListener("close", event => {
      const lost = event.wasClean ? "" : "The connection to the server is lost.";
      if (event.reason || lost) document.querySelector("#ended span").textContent = event.reason || lost;
      setTimeout(() => document.querySelector("#ended button").focus());
    });
  }

  send(data) {
    if (this.readyState === WebSocket.CONNECTING) this.addEventListener("open", () => super.send(data));
    else super.send(data);
  }
};

// Keys reach the terminal without a click first.
addEventListener("load", () => setTimeout(() => document.querySelector(".xterm-helper-textarea")?.focus()));
