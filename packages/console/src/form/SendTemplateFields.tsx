import type { Action } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { Field } from "../component/Field.tsx"
import { messageText } from "../text/rule/Message.ts"
import { FallbackFields, otherChannel } from "./FallbackFields.tsx"
import { Select } from "./Select.tsx"
import { Subject, withSubject } from "./Subject.tsx"

type SendTemplate = Extract<Action, { readonly type: "send_template" }>
type Source = keyof typeof messageText.sources

const repliesPerPage = 100

const withChannel = (action: SendTemplate, channel: SendTemplate["channel"]): SendTemplate => {
  const { fallback, ...others } = channel === "sms" ? withSubject(action, "") : action
  return { ...others, channel, ...(fallback === undefined ? {} : { fallback: [{ channel: otherChannel(channel) }] }) }
}

/** Exactly one source of the text is permitted. */
const withSource = ({ body: _, canned_reply: __, ...others }: SendTemplate, source: Source): SendTemplate => ({
  ...others,
  [source]: ""
})

interface SendTemplateProps {
  readonly action: SendTemplate
  readonly onChange: (action: SendTemplate) => void
}

const CannedReplyChoice = ({ action, onChange }: SendTemplateProps) => {
  const { client, tenantId } = useConnection()
  const replies = useQuery({
    queryKey: [tenantId, "canned-replies", "of-actions"] as const,
    queryFn: async ({ signal }) => {
      const found = []
      for await (const reply of client.cannedReplies.list(tenantId, { limit: repliesPerPage, signal }))
        found.push(reply)
      return found
    },
    gcTime: 0
  })
  return (
    <Loaded query={replies}>
      {(found) => (
        <Field label={messageText.cannedReply} hint={found.length === 0 ? messageText.noCannedReplies : undefined}>
          {(control) => (
            <select
              {...control}
              value={action.canned_reply ?? ""}
              onChange={(event) => onChange({ ...action, canned_reply: event.target.value })}
            >
              <option value="">{messageText.chooseCannedReply}</option>
              {found.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </Loaded>
  )
}

const Content = (props: SendTemplateProps) => {
  const { action, onChange } = props
  const source: Source = action.canned_reply === undefined ? "body" : "canned_reply"
  return (
    <>
      <Select
        label={messageText.source}
        value={source}
        options={messageText.sources}
        onChoose={(chosen) => onChange(withSource(action, chosen))}
      />
      {source === "canned_reply" ? (
        <CannedReplyChoice {...props} />
      ) : (
        <Field label={messageText.body} hint={messageText.bodyHint}>
          {(control) => (
            <textarea
              {...control}
              rows={5}
              value={action.body ?? ""}
              onChange={(event) => onChange({ ...action, body: event.target.value })}
            />
          )}
        </Field>
      )}
    </>
  )
}

/** The fields of the action that sends a message to the contact. */
export const SendTemplateFields = (props: SendTemplateProps) => {
  const { action, onChange } = props
  const { fallback: _, ...alone } = action
  return (
    <>
      <Select
        label={messageText.channel}
        value={action.channel}
        options={messageText.channels}
        onChoose={(channel) => onChange(withChannel(action, channel))}
      />
      {action.channel === "email" ? (
        <Subject
          hint={messageText.subjectHint}
          value={action.subject}
          onChange={(subject) => onChange(withSubject(action, subject))}
        />
      ) : null}
      <Content {...props} />
      <FallbackFields
        channel={action.channel}
        fallback={action.fallback?.[0]}
        onChange={(fallback) => onChange(fallback === null ? alone : { ...action, fallback: [fallback] })}
      />
    </>
  )
}
