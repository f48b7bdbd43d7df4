import type { BacktestExample, PipelineRunDetail } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { Answer } from "../decision/Outcome.tsx"
import { RuleStories } from "../decision/RuleStories.tsx"
import { runOptions } from "../decision/Runs.ts"
import blocks from "../design/Blocks.module.css"
import { longTime } from "../design/Time.ts"
import { Dialog, DialogActions } from "../dialog/Dialog.tsx"
import { nameOf } from "../text/Conditions.ts"
import { ruleText } from "../text/Rules.ts"
import { text } from "../text/Shared.ts"

/** The length at which the server cuts the text of an example. */
const maxExcerptLength = 120

/** Returns the start of a message, which ends with a whole word. */
const excerptOf = (excerpt: string): string => {
  const line = excerpt.replaceAll(/\s+/gu, " ").trim()
  if (excerpt.length < maxExcerptLength) return line
  const end = line.lastIndexOf(" ")
  return `${(end > 0 ? line.slice(0, end) : line).toWellFormed()}…`
}

const Message = ({ run: { created_at: createdAt, message, rules } }: { readonly run: PipelineRunDetail }) => (
  <>
    {message === null ? (
      <p>{ruleText.erasedExample}</p>
    ) : (
      <>
        <p className={blocks.muted}>
          {nameOf(text.channels, message.channel)} · {longTime(createdAt)}
        </p>
        {message.subject === null ? null : <strong>{message.subject}</strong>}
        <p className={blocks.body}>{message.body}</p>
      </>
    )}
    {rules === null ? null : <RuleStories rules={rules} />}
  </>
)

interface ExampleProps {
  readonly example: BacktestExample
  /** The name of the contact. */
  readonly name: string
}

/** The message of an example and what the saved rules decided about it. */
const ExampleDialog = ({ example, name, onClose }: ExampleProps & { readonly onClose: () => void }) => {
  const run = useQuery(runOptions(useConnection(), example.signal_id))
  return (
    <Dialog title={ruleText.exampleOf(name)} onClose={onClose}>
      <Loaded query={run}>
        {(data) => (
          <>
            <Message run={data} />
            <Answer run={data} />
          </>
        )}
      </Loaded>
      <DialogActions>
        <Link to="/decisions/$runId" params={{ runId: example.signal_id }} onClick={onClose}>
          {ruleText.openDecision}
        </Link>
        <button type="button" onClick={onClose}>
          {ruleText.closeExample}
        </button>
      </DialogActions>
    </Dialog>
  )
}

/** An example of a back-test. It opens above the page, so that the edited rules stay. */
export const Example = ({ example, name }: ExampleProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={blocks.link} onClick={() => setOpen(true)}>
        {name}: {excerptOf(example.excerpt)}
      </button>
      {isOpen ? <ExampleDialog example={example} name={name} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
