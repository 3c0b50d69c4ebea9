/** The line of a mate together with the opened nodes of the tree. */

import { type Game, type Path, goTo, playMove } from './game.js';

/** A move of the tree, by the attacker or the defender, and its result. */
interface Branch {
  readonly usi: string;
  readonly japanese: string;
  readonly status: string;
}

/** Adds the opened nodes of the tree, keyed by their moves from the start, to a line: every mating move of the attacker
 * and every defence becomes a variation. A node that is still being searched adds nothing. */
export function withVariations(line: Game, opened: ReadonlyMap<string, readonly Branch[] | 'busy'>): Game {
  let game = line;
  // Shorter paths first, so that a node exists before its descendants are added.
  for (const [key, branches] of [...opened].sort(([one], [other]) => one.length - other.length)) {
    const above = pathOf(game, key ? key.split(' ') : []);
    if (branches === 'busy' || !above) continue;
    for (const { usi, japanese } of branches.filter(({ status }) => status === 'mate')) game = playMove(goTo(game, above), usi, japanese);
  }
  return goTo(game, []);
}

/** The path of some moves in a game, or null if the game does not contain them. */
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
