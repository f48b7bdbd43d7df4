import type { ConfigChange } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { ShownRows, useRows } from "../app/Rows.tsx"
import { Confirm } from "../dialog/Confirm.tsx"
import { Diff } from "../component/diff/Diff.tsx"
import { noticeSuccess } from "../component/Notices.tsx"
import { Empty, Section } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { longTime } from "../design/Time.ts"
import { ruleText } from "../text/Rules.ts"
import { historyOptions, type RuleSet, textOfRules, versionOptions } from "./Config.ts"

const names = ruleText.columns

const columnsOf = (onShow: (version: number) => void): ReadonlyArray<Column<ConfigChange>> => [
  {
    header: names.version,
    cell: ({ version }) => (
      <button type="button" onClick={() => onShow(version)}>
        {ruleText.show(version)}
      </button>
    )
  },
  { header: names.time, cell: (change) => longTime(change.changed_at) },
  { header: names.by, cell: (change) => change.changed_by, isDetail: true },
  { header: names.comment, cell: ({ comment }) => comment },
  { header: names.summary, cell: ({ changes }) => changes[0]?.summary, isDetail: true }
]

interface VersionProps {
  readonly version: number
  /** The version that is in use. */
  readonly current: number
  readonly onRestored: (saved: RuleSet) => void
}

const Compared = ({ after, before }: { readonly before: RuleSet; readonly after: RuleSet }) => {
  const [one, other] = [textOfRules(before.rules), textOfRules(after.rules)]
  return one === other ? (
    <p>{ruleText.sameRules}</p>
  ) : (
    <Diff title={ruleText.compared(after.version)} before={one} after={other} />
  )
}

const Restore = ({ current, old, onRestored }: { readonly old: RuleSet } & Omit<VersionProps, "version">) => {
  const { client, tenantId } = useConnection()
  const [isAsking, setAsking] = useState(false)
  const [restore, isPending] = useAction(
    () => {
      const options = { ifMatch: current, comment: ruleText.restoreComment(old.version) }
      return client.config.update(tenantId, { rules: old.rules }, options)
    },
    {
      onSuccess: ({ version }) => {
        noticeSuccess(ruleText.saved(version))
        onRestored({ version, rules: old.rules })
      }
    }
  )
  return (
    <p>
      <button type="button" disabled={isPending} onClick={() => setAsking(true)}>
        {ruleText.restore(old.version)}
      </button>
      {isAsking ? (
        <Confirm
          title={ruleText.restore(old.version)}
          message={ruleText.restoreHelp}
          action={ruleText.restoreAction}
          onClose={() => setAsking(false)}
          onConfirm={() => restore(undefined)}
        />
      ) : null}
    </p>
  )
}

/** The rules of one version, compared with the version before it. */
const Version = ({ current, onRestored, version }: VersionProps) => {
  const connection = useConnection()
  const shown = useQuery(versionOptions(connection, version))
  const former = useQuery(versionOptions(connection, Math.max(1, version - 1)))
  return (
    <Section title={ruleText.version(version)}>
      <Loaded query={former}>
        {(before) => <Loaded query={shown}>{(after) => <Compared before={before} after={after} />}</Loaded>}
      </Loaded>
      {shown.data === undefined || version === current ? null : (
        <Restore old={shown.data} current={current} onRestored={onRestored} />
      )}
    </Section>
  )
}

/** The versions of the configuration with their rules. An earlier version can be restored. */
export const History = ({ current, onRestored }: Omit<VersionProps, "version">) => {
  const [version, setVersion] = useState<number | null>(null)
  const list = useRows(historyOptions(useConnection()))
  const restored = (saved: RuleSet): void => {
    setVersion(null)
    list.onRetry()
    onRestored(saved)
  }
  return (
    <>
      {version === null ? null : <Version version={version} current={current} onRestored={restored} />}
      <ShownRows list={list} empty={<Empty>{ruleText.noHistory}</Empty>}>
        {(rows) => (
          <Table
            label={ruleText.history}
            columns={columnsOf(setVersion)}
            rows={rows}
            keyOf={(change) => String(change.version)}
            hasMore={list.hasMore}
            onMore={list.onMore}
          />
        )}
      </ShownRows>
    </>
  )
}
