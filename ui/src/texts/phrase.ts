import { createElement, Fragment, type ReactNode } from 'react'

/** A sentence with drawn parts in it, in the word order of the language: phrase`It ended ${moment}.` */
export function phrase(words: TemplateStringsArray, ...drawn: ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...words.flatMap((text, index) => (index < drawn.length ? [text, drawn[index]] : [text])))
}
