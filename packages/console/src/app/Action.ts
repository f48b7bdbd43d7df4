import { useMutation } from "@tanstack/react-query"
import { noticeFailure } from "../component/Notices.tsx"
import { text } from "../text/Shared.ts"
import { reasonText } from "./RejectedFields.ts"

interface ActionOptions<Input, Output> {
  /** Shows the expected result. Returns the function that restores the former state. */
  readonly expect?: (input: Input) => () => void
  /** Shows the actual result. */
  readonly onSuccess?: (output: Output, input: Input) => unknown
}

/**
 * Returns the function that sends a change of the person. If the server refuses it, the former state returns and a notice
 * says why.
 */
export const useAction = <Input, Output>(
  send: (input: Input) => Promise<Output>,
  { expect, onSuccess }: ActionOptions<Input, Output> = {}
) => {
  const { isPending, mutate } = useMutation<Output, Error, Input, (() => void) | undefined>({
    mutationFn: send,
    onMutate: (input) => expect?.(input),
    onSuccess: (output, input) => onSuccess?.(output, input),
    onError: (error, _, restore) => {
      restore?.()
      noticeFailure(text.notSaved(reasonText(error)))
    }
  })
  return [mutate, isPending] as const
}
