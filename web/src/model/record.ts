/** Conversion between the rules module's game records, which are lists of nodes, and our trees. */

import type { Game as ModuleGame, GameNode as ModuleNode } from '../module.js';
import type { Ending, Game, GameNode, Notes, Score } from './game.js';
import { formatSfen, parseSfen } from './sfen.js';

function scoreOf({ score }: ModuleNode): Score | null {
  if (score?.mate) return score.mate;
  return score?.number === undefined ? null : { number: score.number };
}

function notesOf({ comments, bookmark, time }: ModuleNode): Notes {
  return { comments: comments ?? [], bookmark: bookmark ?? null, time: time ?? null };
}

/** The tree of a record; null if its initial position is not an SFEN that we can parse. */
export function fromModule(record: ModuleGame): Game | null {
  const start = parseSfen(record.initial);
  const root = record.nodes[0];
  if (!start || !root) return null;
  const steps: number[][] = record.nodes.map(() => []);
  record.nodes.forEach((node, index) => {
    if (node.parent !== null) steps[node.parent]!.push(index);
  });
  // Recursion would overflow the stack in a game of 4,000 plies. Nodes follow their parents, so building from the last
  // node to the first finds all children complete.
  const made: GameNode[] = [];
  const stepsAfter = (index: number) => {
    const children: GameNode[] = [];
    const ends: Ending[] = [];
    for (const step of steps[index]!) {
      const node = record.nodes[step]!;
      if (node.end) ends.push({ word: node.end, after: children.length, ...notesOf(node) });
      else children.push(made[step]!);
    }
    return { children, ends };
  };
  for (let index = record.nodes.length - 1; index > 0; index -= 1) {
    const node = record.nodes[index]!;
    made[index] = { usi: node.usi ?? '', japanese: node.japanese ?? null, score: scoreOf(node), ...notesOf(node), ...stepsAfter(index) };
  }
  const { comments, bookmark } = notesOf(root);
  return { start: { ...start, ply: record.firstPly }, header: record.header, comments, bookmark, ...stepsAfter(0), path: [] };
}

function fromNotes({ comments, bookmark, time }: Notes): Partial<ModuleNode> {
  return {
    ...(comments.length ? { comments: [...comments] } : {}),
    ...(bookmark === null ? {} : { bookmark }),
    ...(time === null ? {} : { time }),
  };
}

/** Converts a game to a record that the module can write, and that `fromModule` converts back without a loss. */
export function toModule(game: Game): ModuleGame {
  const nodes: ModuleNode[] = [{ parent: null, ...fromNotes({ ...game, time: null }) }];
  const pending: { node: Pick<GameNode, 'children' | 'ends'>; index: number }[] = [{ node: game, index: 0 }];
  for (let next = pending.shift(); next; next = pending.shift()) {
    const { node, index: parent } = next;
    for (let at = 0; at <= node.children.length; at += 1) {
      for (const end of node.ends) if (end.after === at) nodes.push({ parent, end: end.word, ...fromNotes(end) });
      const child = node.children[at];
      if (!child) continue;
      const { usi, japanese, score } = child;
      const told = score && ('number' in score ? { number: score.number } : { mate: score });
      nodes.push({ parent, usi, ...(japanese ? { japanese } : {}), ...(told ? { score: { about: 'after' as const, ...told } } : {}), ...fromNotes(child) });
      pending.push({ node: child, index: nodes.length - 1 });
    }
  }
  const header = game.header.map(([key, value]): [string, string] => [key, value]);
  return { header, initial: formatSfen(game.start), firstPly: game.start.ply, nodes };
}
