/** Conversion between the rules module's game records, which are lists of nodes, and our trees. */

import type { Game as ModuleGame, GameNode as ModuleNode } from '../module.js';
import type { Game, GameNode, Score } from './game.js';
import { formatSfen, parseSfen } from './sfen.js';

function scoreOf({ score }: ModuleNode): Score | null {
  if (score?.mate) return score.mate;
  return score?.number === undefined ? null : { number: score.number };
}

/** The tree of a record; null if its initial position is not an SFEN that we can parse. */
export function fromModule(record: ModuleGame): Game | null {
  const start = parseSfen(record.initial);
  const root = record.nodes[0];
  if (!start || !root) return null;
  const children: number[][] = record.nodes.map(() => []);
  record.nodes.forEach((node, index) => {
    if (node.parent !== null) children[node.parent]!.push(index);
  });
  const endOf = (index: number) => children[index]!.map((child) => record.nodes[child]!.end).find((end) => end) ?? null;
  const movesOf = (index: number) => children[index]!.filter((child) => record.nodes[child]!.usi);
  // Recursion would overflow the stack in a game of 4,000 plies. Nodes follow their parents, so building from the last
  // node to the first finds all children complete.
  const made: GameNode[] = [];
  for (let index = record.nodes.length - 1; index > 0; index -= 1) {
    const node = record.nodes[index]!;
    made[index] = {
      usi: node.usi ?? '',
      japanese: node.japanese ?? null,
      comments: node.comments ?? [],
      time: node.time ?? null,
      score: scoreOf(node),
      end: endOf(index),
      children: movesOf(index).map((child) => made[child]!),
    };
  }
  return {
    start: { ...start, ply: record.firstPly },
    header: record.header,
    comments: root.comments ?? [],
    end: endOf(0),
    children: movesOf(0).map((child) => made[child]!),
    path: [],
  };
}

/** Converts a game to a record that the module can write. */
export function toModule(game: Game): ModuleGame {
  const nodes: ModuleNode[] = [{ parent: null, ...(game.comments.length ? { comments: [...game.comments] } : {}) }];
  const pending: { node: { children: readonly GameNode[]; end: string | null }; index: number }[] = [{ node: game, index: 0 }];
  for (let next = pending.shift(); next; next = pending.shift()) {
    for (const child of next.node.children) {
      nodes.push({
        parent: next.index,
        usi: child.usi,
        ...(child.comments.length ? { comments: [...child.comments] } : {}),
        ...(child.time === null ? {} : { time: child.time }),
      });
      pending.push({ node: child, index: nodes.length - 1 });
    }
    if (next.node.end !== null) nodes.push({ parent: next.index, end: next.node.end });
  }
  const header = game.header.map(([key, value]): [string, string] => [key, value]);
  return { header, initial: formatSfen(game.start), firstPly: game.start.ply, nodes };
}
