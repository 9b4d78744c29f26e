import { en } from './en/en.ts'
import type { Language } from './language.ts'
import type { Texts } from './texts.ts'

interface Catalogue {
  /** In the language itself. */
  readonly name: string
  readonly load: () => Promise<Texts>
}

/** English is there from the start, every other language is a script of its own. */
export const CATALOGUES: Readonly<Record<Language, Catalogue>> = {
  en: { name: 'English', load: async () => en },
  de: { name: 'Deutsch', load: async () => (await import('./de/de.ts')).de }
}
