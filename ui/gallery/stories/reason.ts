import type { ComponentProps } from 'react'
import type { ReasonField } from '../../src/components/actions/reason-field.tsx'
import { nothing } from '../story.ts'

export function reason(text: string, isRequired = true): ComponentProps<typeof ReasonField> {
  return { text, onChange: nothing, isRequired }
}
