/** The visitor's choices. Storage may be disabled; then they last only as long as the page. */

import { FACES, type Faces } from '../board/pieces.js';
import type { Language } from '../model/address.js';

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** How the page looks and sounds. */
export interface Choices {
  readonly theme: Theme;
  readonly faces: Faces;
  readonly coordinates: boolean;
  readonly sound: boolean;
}

export function read(key: string): string | null {
  try {
    return localStorage.getItem(`komabako-${key}`);
  } catch {
    return null;
  }
}

export function write(key: string, value: string): void {
  try {
    localStorage.setItem(`komabako-${key}`, value);
  } catch {
    // Storage is disabled.
  }
}

export function storedLanguage(): Language | null {
  const language = read('language');
  return language === 'ja' || language === 'en' ? language : null;
}

export function browserLanguage(): Language {
  return navigator.language.startsWith('ja') ? 'ja' : 'en';
}

export function storedChoices(): Choices {
  return {
    theme: THEMES.find((theme) => theme === read('theme')) ?? 'auto',
    faces: FACES.find((faces) => faces === read('faces')) ?? 'one',
    coordinates: read('coordinates') !== 'no',
    sound: read('sound') === 'yes',
  };
}

/** Keeps choices for later visits. */
export function keep(choices: Partial<Choices>): void {
  for (const [name, value] of Object.entries(choices)) write(name, value === true ? 'yes' : value || 'no');
}
