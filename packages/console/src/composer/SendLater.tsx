import { useState } from "react"
import { Field } from "../component/Field.tsx"
import { useNow } from "../component/Now.ts"
import { longTime } from "../design/Time.ts"
import { FormDialog } from "../form/FormDialog.tsx"
import { composerText } from "../text/Composer.ts"
import type { Timing } from "./Send.ts"
import { readTypedTime } from "./TypedTime.ts"

type Zone = NonNullable<Timing["time_zone"]>

const choices = Object.values(composerText.schedule.choices)

interface TimeFieldProps {
  readonly typed: string
  /** The time that the text names; null: none. */
  readonly time: string | null
  readonly onType: (typed: string) => void
}

const TimeField = ({ onType, time, typed }: TimeFieldProps) => (
  <>
    <Field
      label={composerText.schedule.time}
      hint={time === null ? composerText.schedule.hint : composerText.schedule.local(longTime(time))}
      error={time === null && typed !== "" ? composerText.schedule.unknown : null}
    >
      {(control) => (
        <input
          {...control}
          autoComplete="off"
          list="send-times"
          value={typed}
          onFocus={(event) => event.target.select()}
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </Field>
    <datalist id="send-times">
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </datalist>
  </>
)

const ZoneField = ({ onZone, zone }: { readonly zone: Zone; readonly onZone: (zone: Zone) => void }) => (
  <Field label={composerText.schedule.zone}>
    {(control) => (
      <select
        {...control}
        value={zone}
        onChange={(event) => onZone(event.target.value === "tenant" ? "tenant" : "contact")}
      >
        <option value="contact">{composerText.schedule.zones.contact}</option>
        <option value="tenant">{composerText.schedule.zones.tenant}</option>
      </select>
    )}
  </Field>
)

interface SendLaterProps {
  /** Whether a message of someone else cancels this one. */
  readonly isCanceledByReply?: boolean
  /** Takes the time. The dialog closes with the end of the promise, and shows its error. */
  readonly onChoose: (timing: Timing) => unknown
  readonly onClose: () => void
}

/** Asks for the time of a message, in words or from a list, and for the time zone in which it is meant. */
export const SendLater = ({ isCanceledByReply = false, onChoose, onClose }: SendLaterProps) => {
  const now = useNow()
  const [typed, setTyped] = useState<string>(composerText.schedule.choices.tomorrow)
  const [zone, setZone] = useState<Zone>("contact")
  const [cancelOnReply, setCancelOnReply] = useState(isCanceledByReply)
  const time = readTypedTime(typed, new Date(now))
  return (
    <FormDialog
      title={composerText.schedule.title}
      action={composerText.schedule.send}
      isReady={time !== null}
      send={async () => {
        if (time !== null) await onChoose({ send_at: time, time_zone: zone, cancel_on_reply: cancelOnReply })
      }}
      onClose={onClose}
    >
      <TimeField typed={typed} time={time} onType={setTyped} />
      <ZoneField zone={zone} onZone={setZone} />
      <label>
        <input type="checkbox" checked={cancelOnReply} onChange={(event) => setCancelOnReply(event.target.checked)} />{" "}
        {composerText.schedule.cancelOnReply}
      </label>
    </FormDialog>
  )
}
