/** Of the whole page, light or dark as the reader's system is. */
export const STYLE = `
:root{color-scheme:light dark;--page:#f6f8fa;--sheet:#fff;--text:#1f2328;--quiet:#59636e;--line:#d1d9e0;--bad:#b42318;--badsheet:#fef3f2}
@media (prefers-color-scheme:dark){:root{--page:#0d1117;--sheet:#161b22;--text:#e6edf3;--quiet:#9da7b3;--line:#30363d;--bad:#ff9b8f;--badsheet:#2d1a1a}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1.5rem 4rem;max-width:78rem;background:var(--page);color:var(--text);font:15px/1.5 system-ui,sans-serif}
h1{font-size:1.45rem;line-height:1.3;margin:0 0 .25rem}
h2{font-size:1.05rem;margin:0 0 .6rem}
section,header{margin-bottom:2rem}
.facts{color:var(--quiet);font-size:.86rem;margin:0}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.8rem}
.card{background:var(--sheet);border:1px solid var(--line);border-radius:8px;padding:.7rem .9rem}
.figure{font-size:1.5rem;font-weight:600;font-variant-numeric:tabular-nums}
table{width:100%;border-collapse:collapse;background:var(--sheet);border:1px solid var(--line);border-radius:8px;font-size:.9rem}
th,td{padding:.35rem .7rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{color:var(--quiet);font-weight:500;white-space:nowrap;border-bottom:1px solid var(--line)}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
tbody tr+tr td{border-top:1px solid var(--line)}
.alarms tbody{border-top:1px solid var(--line)}
.alarms tbody tr+tr td{border-top:0;padding-top:0;padding-bottom:.7rem}
.reason{margin:0 0 .3rem;white-space:pre-wrap;unicode-bidi:isolate}
summary{cursor:pointer;color:var(--quiet);font-size:.86rem}
details[open]>summary{margin-bottom:.4rem}
.folded{margin-top:.6rem}
.alarm td:nth-child(2),.alarm td:nth-child(3){color:var(--bad);font-weight:600}
.turn{border-left:3px solid var(--line);padding:.2rem .8rem;margin:.5rem 0}
.turn.blamed{border-color:var(--bad);background:var(--badsheet)}
mark{background:none;color:var(--bad);font-weight:600}
pre{margin:.15rem 0;white-space:pre-wrap;overflow-wrap:anywhere;max-height:16rem;overflow:auto;font:.84rem/1.45 ui-monospace,monospace;unicode-bidi:isolate}
code{font:.84rem ui-monospace,monospace}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(30rem,1fr));gap:.8rem}
figure{margin:0;background:var(--sheet);border:1px solid var(--line);border-radius:8px;overflow:hidden}
figure svg{display:block;width:100%;height:auto}
.wide{overflow-x:auto}
.wide table{font-size:.82rem}
.wide th,.wide td{white-space:nowrap;overflow-wrap:normal;padding:.25rem .5rem}
.wide th:first-child,.wide td:first-child{position:sticky;left:0;background:var(--sheet)}
.wide+.facts{margin-top:.5rem}
.columns{columns:2 26rem;column-gap:1.2rem}
.columns>div{break-inside:avoid;margin-bottom:1.6rem}
.example{display:block;max-width:22rem;text-align:left;white-space:normal;color:var(--quiet)}
@media print{details::details-content{content-visibility:visible}body{background:none}}
`;
