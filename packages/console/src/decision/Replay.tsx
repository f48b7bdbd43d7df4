import type { RunReplay } from "@leadloom/client"
import { useMutation } from "@tanstack/react-query"
import { useConnection } from "../app/Connection.ts"
import { problemText } from "../app/Problem.ts"
import { Diff } from "../component/diff/Diff.tsx"
import { Section } from "../component/Page.tsx"
import { decisionText } from "../text/Decisions.ts"

/** Returns canonical JSON with one value per line. */
const linesOf = (json: string): string => JSON.stringify(JSON.parse(json), null, 2)

const Differences = ({ replay: { config_version: version, differences, identical } }: { readonly replay: RunReplay }) =>
  identical ? (
    <p>{decisionText.same(version)}</p>
  ) : (
    <>
      <p>{decisionText.different(version)}</p>
      {differences.map(({ part, replayed, stored }) => (
        <Diff key={part} title={decisionText.parts[part]} before={linesOf(stored)} after={linesOf(replayed)} />
      ))}
    </>
  )

/** Decides the message again with the current rules, and shows the differences to the recorded run. */
export const Replay = ({ id }: { readonly id: string }) => {
  const { client, tenantId } = useConnection()
  const replay = useMutation({ mutationFn: () => client.pipeline.replayRun(tenantId, id, { config: "current" }) })
  return (
    <Section title={decisionText.sections.replay}>
      <p>{decisionText.replayHelp}</p>
      <p>
        <button type="button" disabled={replay.isPending} onClick={() => replay.mutate()}>
          {replay.isPending ? decisionText.replaying : decisionText.replay}
        </button>
      </p>
      <div role="status">{replay.data === undefined ? null : <Differences replay={replay.data} />}</div>
      {replay.isError ? <p role="alert">{problemText(replay.error)}</p> : null}
    </Section>
  )
}
