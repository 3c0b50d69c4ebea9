/** The line of a mate together with what was looked at beside it. */

import { type Game, type Path, goTo, playMove } from './game.js';

/** A move of the tree: of the attacker or the defender, and what comes of it. */
interface Branch {
  readonly usi: string;
  readonly japanese: string;
  readonly status: string;
}

/** Adds to a line the nodes of the tree that were opened, by their moves from the start: every mating move of the attacker and every
 * defence becomes a variation. A node that is still being searched adds nothing. */
export function withVariations(line: Game, opened: ReadonlyMap<string, readonly Branch[] | 'busy'>): Game {
  let game = line;
  // The shorter first: what a path leads to is there before what follows it.
  for (const [key, branches] of [...opened].sort(([one], [other]) => one.length - other.length)) {
    const above = pathOf(game, key ? key.split(' ') : []);
    if (branches === 'busy' || !above) continue;
    for (const { usi, japanese } of branches.filter(({ status }) => status === 'mate')) game = playMove(goTo(game, above), usi, japanese);
  }
  return goTo(game, []);
}

/** Where moves lead in a game, or null if it does not have them. */
function pathOf(game: Game, moves: readonly string[]): Path | null {
  const path: number[] = [];
  let { children } = game;
  for (const usi of moves) {
    const index = children.findIndex((node) => node.usi === usi);
    if (index < 0) return null;
    path.push(index);
    children = children[index]!.children;
  }
  return path;
}
