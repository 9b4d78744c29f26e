import type { ReactNode } from 'react'

/** A part of the panel with a name. */
export function Part({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return <section className="part"><h3>{title}{note && <span className="tone-warn"> {note}</span>}</h3>{children}</section>
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return <div><dt>{name}</dt><dd>{children}</dd></div>
}
