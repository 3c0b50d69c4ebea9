/** The sentences of the player that the page does not have. */

import type { Language } from '../words/index.js';

interface EmbedWords {
  readonly player: string;
  readonly controls: string;
  readonly loading: string;
  readonly failed: (file: string, reason: string) => string;
  readonly unreachable: string;
  readonly tooLarge: (mebibytes: number) => string;
  readonly noGame: (number: number) => string;
}

export const EMBED_WORDS: Readonly<Record<Language, EmbedWords>> = {
  en: {
    player: 'Game record',
    controls: 'Moves',
    loading: 'Loading the game …',
    failed: (file, reason) => `${file} cannot be shown: ${reason}`,
    unreachable: 'it cannot be loaded',
    tooLarge: (mebibytes) => `it is larger than ${mebibytes} MiB`,
    noGame: (number) => `it has no game number ${number}`,
  },
  ja: {
    player: '棋譜',
    controls: '指し手',
    loading: '棋譜を読み込んでいます…',
    failed: (file, reason) => `${file}を表示できません。${reason}`,
    unreachable: '読み込めません。',
    tooLarge: (mebibytes) => `${mebibytes} MiBを超えています。`,
    noGame: (number) => `${number}番目の棋譜がありません。`,
  },
};
