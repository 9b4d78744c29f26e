const PATHS = {
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.3 10.3 14 14',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9M6.8 7v4M9.2 7v4',
  plus: 'M8 3v10M3 8h10',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2v9.6L12.5 8z',
  light:
    'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 ' +
      '1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  dark: 'M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6Z',
  system: 'M2 3h12v8H2zM6 13.5h4',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M4 9.5h.01M12 9.5h.01M6.2 9.5h3.6',
  chevron: 'M6 4l4 4-4 4',
  back: 'M10 4 6 8l4 4',
  columns: 'M2 3.5h12v9H2zM6 3.5v9M10 3.5v9',
  external: 'M4 12 12 4M6 4h6v6'
} as const

export type IconName = keyof typeof PATHS

/** A decoration: the control around it has the accessible name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
