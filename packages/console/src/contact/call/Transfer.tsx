import type { CallRecord } from "@leadloom/client"
import { useMutation } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useConnection } from "../../app/Connection.ts"
import { Field } from "../../component/Field.tsx"
import { textIn } from "../../form/FormValues.ts"
import { callText } from "../../text/Call.ts"
import { maxNumberLength } from "./CallData.ts"
import { CallProblem } from "./CallProblem.tsx"

const { place: shown } = callText

interface TransferProps {
  readonly call: CallRecord
  readonly onTransferred: (call: CallRecord) => void
}

/** Connects the contact of a call in progress with another person, who is not asked before. */
export const Transfer = ({ call, onTransferred }: TransferProps) => {
  const { client, tenantId } = useConnection()
  const transfer = useMutation({
    mutationFn: (to: string) => client.calls.transfer(tenantId, call.call_session_id, { to }),
    onSuccess: onTransferred
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const to = textIn(new FormData(event.currentTarget), "to")
    if (to !== null) transfer.mutate(to)
  }
  return (
    <form onSubmit={submit}>
      <Field label={shown.transferTo} hint={shown.transferHint}>
        {(control) => <input {...control} name="to" type="tel" required maxLength={maxNumberLength} />}
      </Field>
      <CallProblem error={transfer.error} />
      <button type="submit" disabled={transfer.isPending}>
        {shown.transfer}
      </button>
    </form>
  )
}
