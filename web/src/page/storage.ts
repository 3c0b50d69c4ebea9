/** The visitor's choices. Storage may be disabled; then they last only as long as the page. */

import type { Language } from '../model/address.js';

export type Theme = 'auto' | 'light' | 'dark';

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

export function storedTheme(): Theme {
  const theme = read('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'auto';
}
