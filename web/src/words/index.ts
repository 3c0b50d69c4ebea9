import type { Language } from '../model/address.js';
import { en, type Words } from './en.js';
import { ja } from './ja.js';

export type { Language, Words };

export function wordsOf(language: Language): Words {
  return language === 'ja' ? ja : en;
}
