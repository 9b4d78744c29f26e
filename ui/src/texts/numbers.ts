import { languageNow, localeFor } from './language.ts'

interface Made {
  readonly format: Intl.NumberFormat
  readonly rules: Intl.PluralRules
}

// Creating a formatter costs a hundred times as much as using it.
const made = new Map<string, Made>()

function ofLanguage(options: Intl.NumberFormatOptions): Made {
  const key = `${languageNow()} ${JSON.stringify(options)}`
  const locale = localeFor('numbers')
  const found = made.get(key) ?? { format: new Intl.NumberFormat(locale, options), rules: new Intl.PluralRules(locale) }
  made.set(key, found)
  return found
}

/** Formats a number as the current language writes it. */
export function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return ofLanguage(options).format.format(value)
}

/** Without decimals: `1,204`. */
export function formatInteger(value: number): string {
  return formatNumber(value, { maximumFractionDigits: 0 })
}

/** The word after a number, for each plural category of the language. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** `1 run`, `1,204 runs`. */
export function counted(count: number, forms: Forms): string {
  return `${formatInteger(count)} ${formOf(count, forms)}`
}

export function formOf(count: number, forms: Forms): string {
  return forms[ofLanguage({}).rules.select(count)] ?? forms.other
}
