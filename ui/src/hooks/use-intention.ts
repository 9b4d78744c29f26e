import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { doubtOf, letBe } from '../api/intentions.ts'

/**
 * Something a person asks for once, until its outcome is known.
 * @param nameOf names it, as for `carryOut`
 * @param next what is sent next, unless the outcome of the last one is in doubt
 */
export function useIntention<Data, Input>(
  mutation: UseMutationOptions<Data, Error, Input>, nameOf: (input: Input) => string, next: Input
) {
  const { mutate, reset, isPending, data, error, variables } = useMutation(mutation)
  // What was sent may differ from what the fields say now.
  const sent = variables ?? next
  const name = nameOf(sent)
  // It outlives the view, so that opening it again shows the result.
  const doubt = isPending ? null : doubtOf(name)
  return {
    isPending, data, error, doubt, reset,
    send: () => mutate(doubt === null ? next : sent),
    letBe() {
      letBe(name)
      reset()
    }
  }
}
