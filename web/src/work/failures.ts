/** What fails outside the module. */

import type { ModuleError } from '../module.js';

export const CANCELLED: ModuleError = { name: 'CANCELLED', sentence: { en: 'cancelled', ja: '中止しました' } };
export const DAMAGED: ModuleError = {
  name: 'COMPRESSION',
  sentence: { en: 'the compressed data is damaged or cut short', ja: '圧縮データが壊れているか、途中で切れています' },
};

export const ARCHIVE: ModuleError = {
  name: 'ARCHIVE',
  sentence: { en: 'an archive of Komabako: only the program reads it', ja: '駒箱の書庫です。読めるのはプログラムだけです' },
};
export const UNSUPPORTED: ModuleError = {
  name: 'UNSUPPORTED',
  sentence: { en: 'encrypted, or compressed in a way that this page does not read', ja: '暗号化されているか、対応していない圧縮方式です' },
};

/** An error that is not from the module is usually a lack of memory. */
export const outOfMemory = (error: unknown): ModuleError => ({
  name: 'OUT_OF_MEMORY',
  sentence: { en: String(error), ja: 'メモリが足りません。表の大きさを減らしてやり直してください' },
});
