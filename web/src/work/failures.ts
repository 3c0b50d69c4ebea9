/** What fails outside the module. */

import type { ModuleError } from '../module.js';

export const CANCELLED: ModuleError = { name: 'CANCELLED', sentence: { en: 'cancelled', ja: '中止しました' } };
export const DAMAGED: ModuleError = {
  name: 'COMPRESSION',
  sentence: { en: 'the compressed data is damaged or cut short', ja: '圧縮データが壊れているか、途中で切れています' },
};

/** An error that is not from the module is usually a lack of memory. */
export const outOfMemory = (error: unknown): ModuleError => ({
  name: 'OUT_OF_MEMORY',
  sentence: { en: String(error), ja: 'メモリが足りません。表の大きさを減らしてやり直してください' },
});
