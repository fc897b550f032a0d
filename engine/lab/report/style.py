"""How the page of a report looks: on light and dark screens, and on paper."""

from typing import Final

STYLE: Final = """
:root { --ink: #1a1a1a; --paper: #ffffff; --soft: #595959; --rule: #d6d6d6; --warm: #fff4d6;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7; --c4: #e69f00; --c5: #56b4e9; --c6: #1a1a1a;
  --c7: #8a8000; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --paper: #121212; --soft: #a6a6a6; --rule: #3a3a3a; --warm: #3a2f10;
    --c0: #56b4e9; --c1: #e69f00; --c2: #1fc49a; --c3: #cc79a7; --c4: #f0e442; --c5: #5a9bd4; --c6: #e8e8e8;
    --c7: #f07a2a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.7rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2, h3 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; overflow-wrap: anywhere; }
h2.part { font-size: 1.45rem; border-top: 2px solid var(--rule); padding-top: 1rem; margin-top: 3rem; }
h3 { font-size: 1.05rem; }
.about { font-size: 1.1rem; margin: 1rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; }
dt, figcaption, p.soft { color: var(--soft); }
dd { margin: 0; }
.warning { background: var(--warm); padding: .5rem .75rem; border-left: 4px solid var(--c1); }
figure { margin: 0 0 1rem; break-inside: avoid; }
figcaption { font-size: .875rem; }
svg { display: block; width: 100%; max-width: 860px; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg text.soft { fill: var(--soft); }
svg text.strong { font-weight: 600; }
svg text.small { font-size: 10px; }
.grid { stroke: var(--rule); stroke-width: 1; }
.axis, .whisker { stroke: var(--ink); stroke-width: 1.5; }
.limit { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 3 3; }
.bar { fill: var(--c0); fill-opacity: .35; }
.dot { fill: var(--c0); stroke: var(--paper); stroke-width: 1; }
.heat { fill: var(--c0); stroke: var(--rule); stroke-width: 1; }
.line { fill: none; stroke-width: 2; }
.mark { fill: none; stroke-width: 1.5; }
.band { stroke: none; fill-opacity: .14; }
.point { stroke: none; }
.wide { overflow-x: auto; margin-bottom: 1rem; }
table { border-collapse: collapse; font-size: .8125rem; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .2rem .45rem; border-bottom: 1px solid var(--rule); }
th, td, td span { white-space: nowrap; }
td.parts { white-space: normal; }
th.name { text-align: left; font-weight: 600; white-space: normal; max-width: 15rem; }
th.name:first-child { min-width: 7rem; }
thead th { color: var(--soft); font-weight: 400; vertical-align: bottom; }
tr { break-inside: avoid; }
li { margin-bottom: .4rem; max-width: 46rem; }
@page { size: landscape; margin: 12mm; }
@media print { main { max-width: none; padding: 0; } body { font-size: 11pt; } h2, h3 { break-after: avoid; }
  svg { max-width: 740px; }
  table { font-size: 7.5pt; } th, td { padding: .1rem .3rem; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
""" + "\n".join(f".line.s{place}, .mark.s{place} {{ stroke: var(--c{place}); }} "
                f".band.s{place}, .point.s{place} {{ fill: var(--c{place}); }}" for place in range(8)) + "\n"
