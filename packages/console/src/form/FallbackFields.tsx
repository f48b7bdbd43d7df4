import type { StepFallback } from "@leadloom/client"
import { Field } from "../component/Field.tsx"
import blocks from "../design/Blocks.module.css"
import { messageText } from "../text/rule/Message.ts"
import { Subject, withSubject } from "./Subject.tsx"

const { channels, fallback: shown } = messageText

type Channel = StepFallback["channel"]

/** Returns the other channel, which a message may use if the contact cannot be reached on its own one. */
export const otherChannel = (channel: Channel): Channel => (channel === "email" ? "sms" : "email")

const withBody = ({ body: _, ...others }: StepFallback, body: string): StepFallback =>
  body === "" ? others : { ...others, body }

interface FallbackFieldsProps {
  /** The channel that is tried first. */
  readonly channel: Channel
  readonly fallback: StepFallback | undefined
  /** Null removes the other channel. */
  readonly onChange: (fallback: StepFallback | null) => void
}

/** The other channel of a message, for contacts who cannot be reached on the first one. */
export const FallbackFields = ({ channel, fallback, onChange }: FallbackFieldsProps) => {
  const other = otherChannel(channel)
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={fallback !== undefined}
          onChange={(event) => onChange(event.target.checked ? { channel: other } : null)}
        />{" "}
        {shown.use(channels[other], channels[channel])}
      </label>
      {fallback === undefined ? null : (
        <div className={blocks.group} role="group" aria-label={shown.title(channels[other])}>
          {fallback.channel === "email" ? (
            <Subject
              hint={messageText.sameSubject}
              value={fallback.subject}
              onChange={(subject) => onChange(withSubject(fallback, subject))}
            />
          ) : null}
          <Field label={messageText.body} hint={shown.bodyHint}>
            {(control) => (
              <textarea
                {...control}
                rows={3}
                value={fallback.body ?? ""}
                onChange={(event) => onChange(withBody(fallback, event.target.value))}
              />
            )}
          </Field>
        </div>
      )}
    </>
  )
}
