import { createElement, Fragment, type ReactNode } from 'react'

/** A sentence around what is drawn, in the order that the language wants: phrase`It ended ${moment}.` */
export function phrase(words: TemplateStringsArray, ...drawn: ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...words.flatMap((text, index) => (index < drawn.length ? [text, drawn[index]] : [text])))
}
