import { css } from 'lit';

/** The page sets the colours as custom properties; without them, the element uses the light colours. */
export const style = css`
  :host { display: block; position: relative; container-type: inline-size; }
  :host([hidden]) { display: none; }
  svg { display: block; width: 100%; height: auto; user-select: none; -webkit-user-select: none; overflow: visible; }
  svg:focus, svg :focus { outline: none; }
  text { text-anchor: middle; fill: var(--komabako-muted, #6b5d4d); font-family: system-ui, 'Hiragino Sans', 'Yu Gothic UI', 'Noto Sans CJK JP', sans-serif; }
  .frame { fill: var(--komabako-board, #e6c285); stroke: var(--komabako-edge, #a27c42); stroke-width: 1; }
  .line { stroke: var(--komabako-line, #54401f); stroke-width: 0.7; pointer-events: none; }
  .border { fill: none; stroke: var(--komabako-line, #54401f); stroke-width: 1.4; pointer-events: none; }
  .star { fill: var(--komabako-line, #54401f); pointer-events: none; }
  .label { fill: var(--komabako-muted, #6b5d4d); }
  .stand { fill: var(--komabako-stand, #efe2c8); stroke: var(--komabako-edge, #a27c42); stroke-width: 0.6; stroke-opacity: 0.6; }
  .stand.box { stroke-dasharray: 3 2.5; fill: none; stroke-opacity: 1; }
  .owner path { fill: #fffaf0; stroke: var(--komabako-ink, #2a2019); stroke-width: 2.4; }
  .owner.black path { fill: #1c130a; }
  .turn-ground { fill: var(--komabako-pick, #3f7d4e); fill-opacity: 0.55; }
  .name, .box-name { font-size: 11px; }
  .upright { writing-mode: vertical-rl; text-anchor: start; }
  .shadow { fill: #2a1c08; fill-opacity: 0.24; }
  .wood { fill: var(--komabako-piece, #f8e2b4); stroke: var(--komabako-piece-edge, #8d6a35); stroke-width: 0.7; }
  .glyph { pointer-events: none; }
  .piece .glyph { fill: var(--komabako-piece-ink, #22190f); }
  .promoted .glyph { fill: var(--komabako-promoted, #a8281a); }
  .cell { fill: transparent; }
  .cell.last { fill: var(--komabako-last, #d4842f); fill-opacity: 0.34; }
  .cell.check { fill: var(--komabako-check, #a3261a); fill-opacity: 0.42; }
  .cell.mark { fill: var(--komabako-mark, #2d6a8f); fill-opacity: 0.4; }
  .cell.picked { fill: var(--komabako-pick, #3f7d4e); fill-opacity: 0.5; }
  .cell.over { fill: var(--komabako-pick, #3f7d4e); fill-opacity: 0.3; }
  .target { fill: var(--komabako-pick, #2f6b3f); fill-opacity: 0.75; pointer-events: none; }
  .target.capture { fill: none; stroke: var(--komabako-pick, #2f6b3f); stroke-width: 2.4; }
  .count { fill: var(--komabako-ink, #2a2019); stroke: var(--komabako-stand, #efe2c8); stroke-width: 34; paint-order: stroke; }
  .absent { opacity: 0.22; }
  .holds, .holds * { cursor: grab; touch-action: pinch-zoom; }
  .lifted { opacity: 0.3; }
  .ghost { pointer-events: none; }
  .ghost .shadow { fill-opacity: 0.35; }
  .ring { fill: none; stroke: var(--komabako-focus, #1c5f8a); stroke-width: 2.6; pointer-events: none; }
  .arrow { stroke: var(--komabako-mark, #2d6a8f); stroke-opacity: 0.85; stroke-width: 5; stroke-linecap: round; pointer-events: none; }
  .head { fill: var(--komabako-mark, #2d6a8f); fill-opacity: 0.95; pointer-events: none; }
  .choice { fill: var(--komabako-paper, #fbf7ee); stroke: var(--komabako-ink, #2a2019); stroke-width: 1; cursor: pointer; }
  :focus-visible > .choice { stroke: var(--komabako-focus, #1c5f8a); stroke-width: 3; }
  .veil { fill: #000; fill-opacity: 0.18; }
  .live { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  @media (forced-colors: active) {
    .cell.last, .cell.check, .cell.mark, .cell.picked { stroke: Highlight; stroke-width: 2; }
    .ring { stroke: Highlight; }
  }
`;
