/** The figures of `komabako stats` as small charts. */

import { type TemplateResult, html, nothing, svg } from 'lit';
import { grouped } from '../model/number.js';
import { COLORS, type Kind } from '../model/piece.js';
import type { Words } from '../words/index.js';

/** The members of the statistics that are drawn; docs/stats.md describes all members. Elements name their member in
 * `data-json`, as in the output of `komabako stats --html`. */
interface Stats {
  readonly in_check: number;
  readonly results: { readonly black_wins: number; readonly draws: number; readonly white_wins: number };
  readonly plies: { readonly mean: number | null; readonly bins: readonly { readonly from: number; readonly to: number | null; readonly count: number }[] };
  readonly scores: { readonly mean: number | null; readonly bins: readonly ScoreBin[] };
  readonly fit: { readonly a: number } | null;
  readonly pieces: readonly { readonly kind: Kind; readonly black: Places; readonly white: Places; readonly removed: number }[];
  readonly moves: Readonly<Record<'board' | 'drops' | 'captures' | 'promotions' | 'special' | 'ill_formed' | 'unmatched', number>>;
  readonly kings: Readonly<Record<'black' | 'white', { readonly squares: readonly (readonly number[])[]; readonly absent: number }>>;
}
interface Places {
  readonly unpromoted: number;
  readonly promoted: number;
  readonly hand: number;
}
interface ScoreBin {
  readonly from: number | null;
  readonly to: number | null;
  readonly count: number;
  readonly win_rate: number | null;
  readonly fitted: number | null;
}

const WIDTH = 520;
const HEIGHT = 120;
const PLACES = ['unpromoted', 'promoted', 'hand'] as const;
/** Counts of moves by kind; the last ones are shown only if they are not zero. */
const MOVES = [['board'], ['drops'], ['captures'], ['promotions'], ['special', 'special'], ['ill_formed', 'ill_formed'], ['unmatched', 'unmatched']] as const;

export function drawStats(value: unknown, words: Words): TemplateResult {
  const stats = value as Stats;
  const { files } = words;
  const { black_wins: black, draws, white_wins: white } = stats.results;
  const total = Math.max(1, black + draws + white);
  const share = (count: number) => `${grouped(count)} (${((100 * count) / total).toFixed(1)} %)`;
  const mean = (number: number | null) => (number === null ? '' : `${files.mean} ${number.toFixed(1)}`);
  return html`<div class="stats">
    <h3>${files.results}</h3>
    <svg class="chart" viewBox="0 0 ${WIDTH} 22" role="img" aria-label=${files.results} data-json="/results">
      <rect class="black" width=${(WIDTH * black) / total} height="22"></rect>
      <rect class="draw" x=${(WIDTH * black) / total} width=${(WIDTH * draws) / total} height="22"></rect>
      <rect class="white" x=${(WIDTH * (black + draws)) / total} width=${(WIDTH * white) / total} height="22"></rect></svg>
    <p class="number">${files.blackWins} ${share(black)} · ${files.draws} ${share(draws)} · ${files.whiteWins} ${share(white)} · ${files.inCheck} ${grouped(stats.in_check)}</p>
    <h3>${files.plies} <small>${mean(stats.plies.mean)}</small></h3>
    ${bars(stats.plies.bins, files.plies, '/plies/bins')}
    <h3>${files.scores} <small>${mean(stats.scores.mean)}</small></h3>
    ${bars(stats.scores.bins, files.scores, '/scores/bins')}
    <h3>${files.winRate} <small>${stats.fit ? files.fitted(stats.fit.a.toFixed(0)) : nothing}</small></h3>
    ${winRates(stats.scores.bins, files.winRate)}
    <h3>${files.kings}</h3>
    <div class="row maps">${(['black', 'white'] as const).map((color) => heatMap(stats.kings[color].squares, words.ownerMark(color), `/kings/${color}/squares`))}</div>
    <h3>${files.pieces}</h3>
    ${pieces(stats, words)}
    <h3>${files.moves}</h3>
    <p class="number" data-json="/moves">${MOVES.filter(([, rare]) => !rare || stats.moves[rare]).map(([name]) => `${files.moveKinds[name]} ${grouped(stats.moves[name])}`).join(' · ')}</p>
  </div>`;
}

interface Bin {
  readonly from: number | null;
  readonly to: number | null;
  readonly count: number;
}

function bars(bins: readonly Bin[], name: string, member: string): TemplateResult {
  const most = Math.max(1, ...bins.map((bin) => bin.count));
  const step = WIDTH / Math.max(1, bins.length);
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT + 16}" role="img" aria-label=${name} data-json=${member}>
    ${bins.map((bin, index) => {
      const height = (HEIGHT * bin.count) / most;
      return svg`<rect class="bar" x=${index * step + 0.5} y=${HEIGHT - height} width=${Math.max(0.5, step - 1)} height=${height}><title>${bin.from ?? '…'}–${bin.to ?? '…'}: ${bin.count}</title></rect>`;
    })}${axis(bins, step)}</svg>`;
}

/** About six marks along the lower edge. */
function axis(bins: readonly Bin[], step: number): TemplateResult[] {
  const every = Math.max(1, Math.round(bins.length / 6));
  return bins.flatMap((bin, index) =>
    index % every === 0 && bin.from !== null ? [svg`<text x=${(index + 0.5) * step} y=${HEIGHT + 13}>${String(bin.from).replace('-', '−')}</text>`] : [],
  );
}

function winRates(bins: readonly ScoreBin[], name: string): TemplateResult {
  const step = WIDTH / Math.max(1, bins.length);
  const line = (rate: (bin: ScoreBin) => number | null) =>
    bins.flatMap((bin, index) => {
      const value = rate(bin);
      return value === null ? [] : [`${((index + 0.5) * step).toFixed(1)} ${(HEIGHT * (1 - value)).toFixed(1)}`];
    }).join('L');
  const fitted = line((bin) => bin.fitted);
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT + 16}" role="img" aria-label=${name} data-json="/scores/bins">
    <path class="half" d="M0 ${HEIGHT / 2}H${WIDTH}"></path>
    ${fitted ? svg`<path class="fit" d="M${fitted}"></path>` : nothing}
    ${bins.map((bin, index) => bin.win_rate === null ? nothing : svg`<circle class="dot" r="2.4" cx=${(index + 0.5) * step} cy=${HEIGHT * (1 - bin.win_rate)}></circle>`)}
    ${axis(bins, step)}</svg>`;
}

/** The average number of pieces of each kind in a position: on the board, promoted ones among them, in hands, and in the
 * box. */
function pieces(stats: Stats, words: Words): TemplateResult {
  const { files } = words;
  const row = ({ kind, black, white, removed }: Stats['pieces'][number], index: number) => {
    const places = (color: 'black' | 'white', { unpromoted, promoted, hand }: Places) => [unpromoted, promoted, hand].map((mean, place) =>
      html`<td class="right number" data-json="/pieces/${index}/${color}/${PLACES[place]}">${mean ? mean.toFixed(2) : '–'}</td>`);
    return html`<tr><th scope="row">${words.pieceKind(kind)}</th>${places('black', black)}${places('white', white)}
      <td class="right number" data-json="/pieces/${index}/removed">${removed ? removed.toFixed(2) : '–'}</td></tr>`;
  };
  const headings = [1, 2].map(() => PLACES.map((place) => html`<th scope="col" class="right">${files.places[place]}</th>`));
  return html`<div class="scroll" tabindex="0"><table class="list means"><thead>
      <tr><td></td>${COLORS.map((color) => html`<th scope="colgroup" colspan="3" class="right">${words.ownerMark(color)}</th>`)}<td></td></tr>
      <tr><td></td>${headings}<th scope="col" class="right">${words.box}</th></tr></thead>
    <tbody>${stats.pieces.map(row)}</tbody></table></div>`;
}

function heatMap(squares: readonly (readonly number[])[], name: string, member: string): TemplateResult {
  const most = Math.max(1, ...squares.flat());
  return html`<figure><svg class="chart map" viewBox="0 0 162 162" role="img" aria-label=${name} data-json=${member}>
    ${squares.flatMap((row, rank) => row.map((count, file) => svg`<rect class="heat" x=${file * 18} y=${rank * 18} width="17" height="17" fill-opacity=${(0.06 + 0.94 * Math.sqrt(count / most)).toFixed(2)}><title>${count}</title></rect>`))}
  </svg><figcaption>${name}</figcaption></figure>`;
}
