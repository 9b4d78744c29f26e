import { useSyncExternalStore } from 'react'
import { CATALOGUES } from '../texts/catalogues.ts'
import { LANGUAGES, languageFrom, languageNow, type Language } from '../texts/language.ts'
import { setTexts } from '../texts/texts.ts'
import { frameTexts } from '../texts/frame.ts'
import { createListeners } from './listeners.ts'
import { notify } from './use-notices.ts'
import { readPreference, writePreference } from './use-preference.ts'

/** After this wait, the page is shown in English, because the page is more urgent than its language. */
const MAX_WAIT_MS = 4_000
const ASKED_AGAIN_AFTER_MS = 5_000

const { tell, subscribe } = createListeners()
let wanted: Language = 'en'
let again: ReturnType<typeof setTimeout> | undefined

/** Before the first paint, so that no other language flashes. */
export async function applyLanguage(): Promise<void> {
  await Promise.race([show(languageOfReader()), new Promise(resolve => { setTimeout(resolve, MAX_WAIT_MS) })])
}

/** The language that the reader has chosen, else the host's choice, which the server writes into the page, else that of the browser. */
function languageOfReader(): Language {
  const chosen = languageFrom(readPreference('language')) ?? languageFrom(document.documentElement.dataset.defaultLanguage)
  return chosen ?? navigator.languages.map(languageFrom).find(language => language !== null) ?? 'en'
}

/**
 * @returns false if the language could not be loaded. Then nothing changes, and it is requested again until it loads or another is chosen.
 */
async function show(language: Language): Promise<boolean> {
  wanted = language
  clearTimeout(again)
  try {
    const catalogue = await CATALOGUES[language].load()
    // Another language may have been chosen in the meantime.
    if (wanted === language) setTexts(language, catalogue)
  } catch {
    if (wanted === language) {
      clearTimeout(again)
      again = setTimeout(() => { show(language).catch(() => {}) }, ASKED_AGAIN_AFTER_MS)
    }
    return false
  }
  document.documentElement.lang = languageNow()
  tell()
  return true
}

async function choose(language: Language): Promise<void> {
  writePreference('language', language)
  if (!await show(language)) notify('bad', frameTexts.languageNotLoaded(CATALOGUES[language].name))
}

export interface LanguageChoice {
  readonly language: Language
  /** In the language itself. */
  readonly name: string
  readonly next: () => void
}

/** The language of the page; kept in the browser once it is chosen. */
export function useLanguage(): LanguageChoice {
  const language = useSyncExternalStore(subscribe, languageNow)
  const next = (): void => { choose(LANGUAGES[(LANGUAGES.indexOf(language) + 1) % LANGUAGES.length]!).catch(() => {}) }
  return { language, name: CATALOGUES[language].name, next }
}
