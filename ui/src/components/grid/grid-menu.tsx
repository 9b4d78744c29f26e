import { useEffect, useRef } from 'react'
import { DENSITIES, isChosen, toggled, type GridChoice } from '../../format/lists/grid-columns.ts'
import { writePreference } from '../../hooks/use-preference.ts'
import { Icon } from '../elements/icon.tsx'
import type { GridMenuProps } from './grid-column.ts'
import { gridTexts } from '../../texts/grid.ts'

/** Chooses the columns of a grid and the density of its rows. The browser stores the choice. */
export function GridMenu({ name, columns, choice }: GridMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => closedFromOutside(menu.current), [])
  const keep = (next: GridChoice): void => writePreference(`grid ${name}`, JSON.stringify(next))
  return (
    <details ref={menu} className="grid-menu">
      <summary aria-label={gridTexts.menu} title={gridTexts.menu}><Icon name="columns" /></summary>
      <div className="grid-choices">
        <fieldset>
          <legend>{gridTexts.columns}</legend>
          {columns.filter(({ isFixed }) => !isFixed).map(column => (
            <label key={column.id} className="check">
              <input type="checkbox" checked={isChosen(column, choice)} onChange={() => keep(toggled(choice, column.id))} />{column.name}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>{gridTexts.rows}</legend>
          {DENSITIES.map(density => (
            <label key={density} className="check">
              <input
                type="radio" name={`density-${name}`} checked={choice.density === density} onChange={() => keep({ ...choice, density })}
              />{gridTexts.densities[density]}
            </label>
          ))}
        </fieldset>
        <p className="muted">{gridTexts.columnsGiveWay}</p>
      </div>
    </details>
  )
}

/** Closes the menu at a click elsewhere, and at Esc, which then closes nothing else. */
function closedFromOutside(menu: HTMLDetailsElement | null): (() => void) | undefined {
  if (!menu) return
  const onPointerDown = (event: PointerEvent): void => { if (!menu.contains(event.target as Node)) menu.open = false }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !menu.open) return
    event.preventDefault()
    event.stopPropagation()
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
  document.addEventListener('pointerdown', onPointerDown)
  menu.addEventListener('keydown', onKeyDown)
  return () => {
    document.removeEventListener('pointerdown', onPointerDown)
    menu.removeEventListener('keydown', onKeyDown)
  }
}
