import type { CallRecord, ContactDetail, PlaceCall } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { useConnection } from "../../app/Connection.ts"
import { useMay } from "../../app/Permissions.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { Field } from "../../component/Field.tsx"
import { Dialog, DialogActions } from "../../dialog/Dialog.tsx"
import { textIn } from "../../form/FormValues.ts"
import { Select } from "../../form/Select.tsx"
import { callText } from "../../text/Call.ts"
import { text } from "../../text/Shared.ts"
import { contactOptions } from "../ContactData.ts"
import { type Callable, maxNumberLength, numbersOf, readAgentPhone, usePlaceCall } from "./CallData.ts"
import { CallProblem } from "./CallProblem.tsx"
import { CallProgress } from "./CallProgress.tsx"

const { place: shown } = callText

interface OrderProps {
  readonly contactId: string
  /** At least one. */
  readonly numbers: ReadonlyArray<string>
  readonly onPlaced: (call: CallRecord) => void
  readonly onClose: () => void
}

/** Returns whether the person has to state a phone, because the tenant forwards calls to no number; false if unknown. */
const useNeedsPhone = (): boolean => {
  const { client, tenantId } = useConnection()
  const { data } = useQuery({
    queryKey: [tenantId, "forward-to"] as const,
    queryFn: async ({ signal }) => (await client.config.get(tenantId, { signal })).config.voice?.forward_to ?? null,
    enabled: useMay("config.get"),
    gcTime: 0
  })
  return data === null
}

/** Asks for the number and the phone that rings first, and places the call. */
const Order = ({ contactId, numbers, onClose, onPlaced }: OrderProps) => {
  const connection = useConnection()
  const [number = "", setNumber] = useState(numbers[0])
  const place = usePlaceCall()
  const needsPhone = useNeedsPhone()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const agentPhone = textIn(new FormData(event.currentTarget), "agent_phone") ?? undefined
    // The server calls the first number of the contact by itself, and finds the contact of another one.
    const whom: PlaceCall = number === numbers[0] ? { contact_id: contactId } : { phone: number }
    place.mutate({ ...whom, agent_phone: agentPhone }, { onSuccess: onPlaced })
  }
  return (
    <form onSubmit={submit}>
      {numbers.length === 1 ? null : (
        <Select
          label={shown.number}
          value={number}
          options={Object.fromEntries(numbers.map((one) => [one, one]))}
          onChoose={setNumber}
        />
      )}
      <Field label={shown.agentPhone} hint={needsPhone ? shown.agentPhoneNeeded : shown.agentPhoneHint}>
        {(control) => (
          <input
            {...control}
            name="agent_phone"
            required={needsPhone}
            type="tel"
            autoComplete="tel"
            maxLength={maxNumberLength}
            defaultValue={readAgentPhone(connection)}
          />
        )}
      </Field>
      <p>{shown.order(number)}</p>
      <CallProblem error={place.error} />
      <DialogActions>
        <button type="button" onClick={onClose}>
          {text.confirm.cancel}
        </button>
        <button type="submit" disabled={place.isPending}>
          {shown.send(number)}
        </button>
      </DialogActions>
    </form>
  )
}

const NoNumber = ({ contactId, onClose }: { readonly contactId: string; readonly onClose: () => void }) => (
  <>
    <p>
      {shown.noNumber}{" "}
      <Link to="/contacts/$contactId" params={{ contactId }} search={{ tab: "identities" }} onClick={onClose}>
        {shown.addNumber}
      </Link>
    </p>
    <DialogActions>
      <button type="button" onClick={onClose}>
        {callText.close}
      </button>
    </DialogActions>
  </>
)

interface CallDialogProps {
  readonly contact: Callable
  readonly onClose: () => void
}

/** Calls a contact, and then shows the state of the call. Closing the dialog does not end the call. */
export const CallDialog = ({ contact: { contactId, name }, onClose }: CallDialogProps) => {
  const [placed, setPlaced] = useState<CallRecord | null>(null)
  const detail = useQuery(contactOptions(useConnection(), contactId))
  const orderOf = (data: ContactDetail) => {
    const numbers = numbersOf(data)
    return numbers.length === 0 ? (
      <NoNumber contactId={contactId} onClose={onClose} />
    ) : (
      <Order contactId={contactId} numbers={numbers} onPlaced={setPlaced} onClose={onClose} />
    )
  }
  return (
    <Dialog title={shown.title(name)} onClose={onClose}>
      {placed === null ? <Loaded query={detail}>{orderOf}</Loaded> : <CallProgress call={placed} onClose={onClose} />}
    </Dialog>
  )
}
