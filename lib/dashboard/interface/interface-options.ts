import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { colourFrom } from './colour.ts'
import { problemOfLink, problemOfTraceUrl } from './link.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export const LANGUAGES = ['auto', 'en', 'de'] as const

/** `DashboardOptions` documents the fields. */
export const InterfaceOptions = Type.Object({
  logo: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
  accent: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  environmentColour: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
  backLink: Type.Optional(Type.Object({
    href: Type.String({ minLength: 1, maxLength: 2000 }), text: Type.String({ minLength: 1, maxLength: 60 })
  }, { additionalProperties: false })),
  defaultTheme: Type.Optional(Type.Union(THEMES.map(theme => Type.Literal(theme)))),
  language: Type.Optional(Type.Union(LANGUAGES.map(language => Type.Literal(language)))),
  traceUrl: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 }))
}, { additionalProperties: false })
export type InterfaceOptions = Static<typeof InterfaceOptions>

export interface ResolvedInterfaceOptions {
  readonly logo: string | null
  /** `#rrggbb` or `#rgb`, like the other colours. */
  readonly accent: string | null
  readonly environmentColour: string | null
  readonly backLink: { readonly href: string; readonly text: string } | null
  readonly defaultTheme: (typeof THEMES)[number]
  readonly language: (typeof LANGUAGES)[number]
  /** With `{trace_id}`. */
  readonly traceUrl: string | null
}

export function resolveInterfaceOptions(
  { logo, accent, environmentColour, backLink, defaultTheme, language, traceUrl }: InterfaceOptions = {}
): ResolvedInterfaceOptions {
  return Object.freeze({
    logo: logo ?? null, accent: accent ?? null, environmentColour: environmentColour ?? null,
    backLink: backLink ? Object.freeze({ href: backLink.href, text: backLink.text }) : null,
    defaultTheme: defaultTheme ?? 'system', language: language ?? 'auto', traceUrl: traceUrl ?? null
  })
}

/** Checks that the schema cannot express. */
export function interfaceProblems(options: unknown, hasEnvironment: boolean): string[] {
  if (!Value.Check(InterfaceOptions, options)) return []
  const { logo, accent, environmentColour, backLink, traceUrl } = options
  return [
    logo === undefined ? null : problemOfLink('interface.logo', '/logo.svg', logo),
    problemOfColour('interface.accent', accent),
    problemOfColour('interface.environmentColour', environmentColour),
    environmentColour === undefined || hasEnvironment ? null : 'interface.environmentColour needs environment, whose badge it colours',
    backLink === undefined ? null : problemOfLink('interface.backLink.href', '/admin', backLink.href),
    traceUrl === undefined ? null : problemOfTraceUrl('interface.traceUrl', traceUrl)
  ].filter(problem => problem !== null)
}

function problemOfColour(name: string, value: string | undefined): string | null {
  return value === undefined || colourFrom(value) !== null ? null : `${name} must be a colour such as #3b5bdb`
}
