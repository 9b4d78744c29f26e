/** What decides the place of a column in a grid. */
export interface ColumnPlace {
  readonly id: string
  readonly name: string
  /** The least width it needs, in pixels. */
  readonly minPx: number
  /** Its share of the remaining width; 0 means only as wide as needed. */
  readonly grow?: number
  /** The order in which columns are hidden if the grid is too narrow, the highest number first. Without it, the column stays. */
  readonly givesWay?: number
  /** It may hold a warning, which is never hidden for lack of width. */
  readonly isWarning?: boolean
  /** The reader cannot hide it: the row is useless without it. */
  readonly isFixed?: boolean
  /** Hidden until the reader chooses it. */
  readonly isExtra?: boolean
}

export const DENSITIES = ['comfortable', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

/** What a reader has chosen for one grid. */
export interface GridChoice {
  /** Columns that the reader has hidden, or shown though they are extras. */
  readonly toggled: readonly string[]
  readonly density: Density
}

export const NO_CHOICE: GridChoice = { toggled: [], density: 'comfortable' }

/** Reads the choice that the browser has stored; anything unreadable counts as no choice. */
export function readChoice(text: string | null): GridChoice {
  try {
    const { toggled, density } = JSON.parse(text ?? '{}') as Partial<GridChoice>
    return {
      toggled: Array.isArray(toggled) ? toggled.filter(id => typeof id === 'string') : [],
      density: density === 'compact' ? 'compact' : 'comfortable'
    }
  } catch {
    return NO_CHOICE
  }
}

export function isChosen({ id, isFixed = false, isExtra = false }: ColumnPlace, { toggled }: GridChoice): boolean {
  return isFixed || toggled.includes(id) === isExtra
}

export function toggled(choice: GridChoice, id: string): GridChoice {
  const others = choice.toggled.filter(each => each !== id)
  return { ...choice, toggled: others.length === choice.toggled.length ? [...others, id] : others }
}

/** The gap between two columns, in pixels. The stylesheet has the same number. */
export const COLUMN_GAP_PX = 14

/** The columns that a reader has chosen and that fit, in their order. */
export function columnsThatFit<Column extends ColumnPlace>(
  columns: readonly Column[], choice: GridChoice, widthPx: number
): readonly Column[] {
  let shown = columns.filter(column => isChosen(column, choice))
  while (widthOf(shown) > widthPx) {
    const first = shown.filter(column => column.givesWay !== undefined && !column.isWarning)
      .toSorted((one, other) => other.givesWay! - one.givesWay!)[0]
    if (!first) break
    shown = shown.filter(column => column !== first)
  }
  return shown
}

function widthOf(columns: readonly ColumnPlace[]): number {
  return columns.reduce((sum, { minPx }) => sum + minPx, 0) + COLUMN_GAP_PX * (columns.length - 1)
}

/** For `grid-template-columns`. If even these columns do not fit, those that can grow shrink instead. */
export function templateOf(columns: readonly ColumnPlace[], widthPx: number): string {
  const isTooWide = widthOf(columns) > widthPx
  return columns.map(({ minPx, grow = 0 }) => {
    if (grow === 0) return `${minPx}px`
    return `minmax(${isTooWide ? 0 : minPx}px, ${grow}fr)`
  }).join(' ')
}
