/** Locales for Intl. English numbers belong to no country, but English dates are British. */
const LOCALES = { en: { numbers: 'en', dates: 'en-GB' }, de: { numbers: 'de-DE', dates: 'de-DE' } } as const

export type Language = keyof typeof LOCALES

export const LANGUAGES = Object.keys(LOCALES) as readonly Language[]

let language: Language = 'en'

/** The current language of the page. */
export function languageNow(): Language {
  return language
}

/** Only `texts.ts` may call it, so that numbers and texts change together. */
export function setLanguageNow(next: Language): void {
  language = next
}

export function localeFor(what: 'numbers' | 'dates'): string {
  return LOCALES[language][what]
}

/** The language of a tag such as `de-AT`; null if there are no texts in it. */
export function languageFrom(tag: string | null | undefined): Language | null {
  const primary = tag?.toLowerCase().split('-')[0]
  return LANGUAGES.find(each => each === primary) ?? null
}
