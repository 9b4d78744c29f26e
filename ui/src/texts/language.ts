/** As Intl names them: English without the habits of one country, but with its dates. */
const LOCALES = { en: { numbers: 'en', dates: 'en-GB' }, de: { numbers: 'de-DE', dates: 'de-DE' } } as const

export type Language = keyof typeof LOCALES

export const LANGUAGES = Object.keys(LOCALES) as readonly Language[]

let language: Language = 'en'

/** The language of what is drawn. */
export function languageNow(): Language {
  return language
}

/** Of `texts.ts` alone: numbers and texts change together. */
export function setLanguageNow(next: Language): void {
  language = next
}

export function localeFor(what: 'numbers' | 'dates'): string {
  return LOCALES[language][what]
}

/** The language of a tag such as `de-AT`; null of one that there are no texts in. */
export function languageFrom(tag: string | null | undefined): Language | null {
  const primary = tag?.toLowerCase().split('-')[0]
  return LANGUAGES.find(each => each === primary) ?? null
}
