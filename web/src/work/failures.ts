/** What fails outside the module. */

import type { ModuleError } from '../module.js';

export const CANCELLED: ModuleError = { name: 'CANCELLED', sentence: { en: 'cancelled', ja: '中止しました' } };
export const DAMAGED: ModuleError = {
  name: 'COMPRESSION',
  sentence: { en: 'the compressed data is damaged or cut short', ja: '圧縮データが壊れているか、途中で切れています' },
};

export const ARCHIVE: ModuleError = {
  name: 'ARCHIVE',
  sentence: { en: 'an archive of Komabako: only the program reads it', ja: '駒箱のアーカイブはプログラムだけが読めます' },
};
export const UNSUPPORTED: ModuleError = {
  name: 'UNSUPPORTED',
  sentence: { en: 'encrypted, or compressed in a way that this page does not read', ja: '暗号化されているか、対応していない圧縮方式です' },
};

/** The fault of an error that the module does not report, by its name: the browser could not read a file, or the module ran
 * out of memory and stopped. */
export function failure(error: unknown): ModuleError {
  const text = String(error);
  const sentence = /^Not(Read|Found)/.test(text)
    ? { en: 'the file cannot be read: a folder, or changed meanwhile', ja: 'ファイルを読めません。フォルダーか、変更されたファイルです' }
    : /^R(untime|ange)/.test(text)
      ? { en: 'out of memory', ja: 'メモリが足りません。メモリの設定を下げてやり直してください' }
      : { en: `failed: ${text}`, ja: `失敗しました: ${text}` };
  return { name: 'FAILURE', sentence };
}
