/** The style sheets of menu pages. Sizes are relative to the screen, so that a page looks alike on any of them. */
import type { MenuTemplate } from '#domain/screens/menu.ts';

/** Heights of letters in tenths of a hundredth of the screen's height; each has a class. */
export const LETTERS_MIN = 8;
export const LETTERS_MAX = 40;
const STEPS = Array.from({ length: LETTERS_MAX - LETTERS_MIN + 1 }, (_, step) => step + LETTERS_MIN);
const COLUMNS = [1, 2, 3, 4];

const BASE = `*{box-sizing:border-box;margin:0;padding:0}
html,body{height:100%;overflow:hidden}
body{display:flex;flex-direction:column;padding:4vh 3.5vw 3vh;overflow-wrap:break-word;-webkit-font-smoothing:antialiased}
header{flex:none;margin-bottom:2.6vh}
main{flex:1;min-height:0}
ul{list-style:none}`;

const LIST = `main.list{flex:0 1 auto;margin:auto 0;column-gap:4vw;line-height:1.3;column-fill:balance}
section{margin-bottom:1.1em}
section:last-child{margin-bottom:0}
h2{break-after:avoid;margin-bottom:.45em}
li{break-inside:avoid;margin-bottom:.42em}
.line{display:flex;align-items:baseline}
.name{min-width:0}
.dots{flex:1;min-width:1em;margin:0 .5em;border-bottom:.09em dotted currentColor;opacity:.35;transform:translateY(-.2em)}
.price{flex:none;font-variant-numeric:tabular-nums}
li p{font-size:.8em;line-height:1.28;max-width:88%}
.tags{display:flex;flex-wrap:wrap;gap:.35em;padding-top:.15em}
.tags span{font-size:.74em;letter-spacing:.05em;padding:.05em .6em;border-radius:1em}
@media (orientation:landscape){${COLUMNS.map(n => `.c${n} main.list{column-count:${n}}`).join('')}${STEPS.map(n => `.s${n}{font-size:${n / 10}vh}`).join('')}}
@media (orientation:portrait){body{padding:3.5vh 6vw 3vh}${COLUMNS.map(n => `.p${n} main.list{column-count:${n}}`).join('')}${STEPS.map(n => `.t${n}{font-size:${n / 10}vh}`).join('')}}
.c1 main.list{margin:auto;width:64%}
@media (orientation:landscape){.sb li p:not(.tags){display:none}}
@media (orientation:portrait){.tb li p:not(.tags){display:none}.c1 main.list{width:auto;margin:auto 0}}`;

const SANS = `system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',Arial,sans-serif`;
const SERIF = `'Iowan Old Style','Palatino Linotype',Palatino,Georgia,'DejaVu Serif','Times New Roman',serif`;

const BOARD = `${BASE}
${LIST}
body{background:radial-gradient(120% 120% at 20% 0,#2b3531 0,#1c2320 55%,#141917 100%);color:#f2efe6;font-family:${SANS}}
header{display:flex;align-items:center;gap:2.4vw}
header::before,header::after{content:'';flex:1;height:.28vh;background:#e9b44c;opacity:.75}
h1{flex:none;max-width:80%;font:600 min(5.4vh,7vw)/1.1 ${SERIF};letter-spacing:.01em;text-align:center}
h2{color:#e9b44c;font:600 1.22em/1.2 ${SERIF};letter-spacing:.02em}
.name{font-weight:600}
.price{color:#ffd98a;font-weight:700}
li p{color:#b9bfb5}
.tags span{background:#3b4742;color:#d7e3d5}`;

const CARD = `${BASE}
${LIST}
body{background:#fbf7ef;color:#2a2420;font-family:${SERIF};border:1.1vh solid #fbf7ef;outline:.2vh solid #a8895c;outline-offset:-1.9vh;padding:6vh 5vw 4vh}
h1{font:400 min(5.2vh,7vw)/1.1 ${SERIF};letter-spacing:.06em;text-align:center}
header::after{content:'';display:block;width:9vw;height:.25vh;margin:1.8vh auto 0;background:#a8895c}
h2{color:#8a2f2b;font:400 1.06em/1.2 ${SERIF};letter-spacing:.16em;text-transform:uppercase;border-bottom:.08em solid #dccfb8;padding-bottom:.25em}
.price{color:#8a2f2b}
li p{color:#786c60;font-style:italic}
.tags span{font-style:normal;font-family:${SANS};color:#75602f;background:#f1e6cd}`;

const HIGHLIGHTS = `${BASE}
body{background:linear-gradient(135deg,#12213a 0,#3a2255 60%,#7a2d4f 100%);color:#fff;font-family:${SANS}}
h1{font-size:min(5.6vh,7vw);line-height:1.1;font-weight:800;letter-spacing:-.01em}
main.tiles{display:grid;gap:2.2vh;grid-auto-rows:1fr;grid-template-columns:repeat(2,1fr)}
article{min-width:0;min-height:0;overflow:hidden;display:flex;flex-direction:column;justify-content:center;padding:2.4vh 2.2vh;border-radius:2vh;background:rgba(255,255,255,.1);border:.12vh solid rgba(255,255,255,.16)}
article{font-size:1.3vh}
h3{font-size:1.3em;font-weight:600;letter-spacing:.14em;text-transform:uppercase;color:#ffc8a8;margin-bottom:.4em}
h2{font-size:2.7em;line-height:1.12;font-weight:750}
article p{font-size:1.6em;line-height:1.32;color:#e2dcec;margin-top:.45em;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}
footer{display:flex;flex-wrap:wrap;align-items:center;gap:.5em 1.2em;margin-top:1.1em}
footer .price{font-size:2.6em;font-weight:800;color:#ffe08a;font-variant-numeric:tabular-nums}
.tags{display:flex;flex-wrap:wrap;gap:.5em}
.tags span{font-size:1.25em;padding:.15em .75em;border-radius:1em;background:rgba(255,255,255,.18)}
@media (orientation:landscape){.n1 main.tiles{grid-template-columns:1fr}.n3 main.tiles,.n5 main.tiles,.n6 main.tiles{grid-template-columns:repeat(3,1fr)}.n7 main.tiles,.n8 main.tiles{grid-template-columns:repeat(4,1fr)}.n1 article{font-size:2.6vh}.n2 article{font-size:2vh}.n3 article,.n4 article{font-size:1.65vh}.n5 article,.n6 article{font-size:1.55vh}}
@media (orientation:portrait){.n1 main.tiles,.n2 main.tiles,.n3 main.tiles,.n4 main.tiles{grid-template-columns:1fr}.n1 article,.n2 article,.n3 article,.n4 article{font-size:1.5vh}.n5 article,.n6 article,.n7 article,.n8 article{font-size:1.05vh}}`;

export const MENU_STYLES: Readonly<Record<MenuTemplate, string>> = { board: BOARD, card: CARD, highlights: HIGHLIGHTS };
