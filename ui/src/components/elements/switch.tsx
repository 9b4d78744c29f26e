import { elementTexts } from '../../texts/elements.ts'

interface Props {
  readonly isOn: boolean
  readonly isBusy: boolean
  readonly label: string
  readonly onChange: (isOn: boolean) => void
}

export function Switch({ isOn, isBusy, label, onChange }: Props) {
  return (
    <button
      type="button" role="switch" className="switch" aria-checked={isOn} aria-label={label} aria-busy={isBusy}
      title={isOn ? elementTexts.enabled : elementTexts.disabled} onClick={() => { if (!isBusy) onChange(!isOn) }}
    />
  )
}
