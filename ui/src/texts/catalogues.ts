import type { Language } from './language.ts'
import type { Texts } from './texts.ts'

interface Catalogue {
  /** The name of the language in that language. */
  readonly name: string
  /** Null for English, which is part of the pages. */
  readonly load: () => Promise<Texts | null>
}

/** Every language except English is a script of its own, which is loaded when it is chosen. */
export const CATALOGUES: Readonly<Record<Language, Catalogue>> = {
  en: { name: 'English', load: async () => null },
  de: { name: 'Deutsch', load: async () => (await import('./de/de.ts')).de }
}
