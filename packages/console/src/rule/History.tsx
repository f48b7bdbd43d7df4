import type { ConfigChange } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useAction } from "../app/Action.ts"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { ShownRows, useRows } from "../app/Rows.tsx"
import { Confirm } from "../dialog/Confirm.tsx"
import { noticeSuccess } from "../component/Notices.tsx"
import { Empty, Section } from "../component/Page.tsx"
import { type Column, Table } from "../component/Table.tsx"
import { longTime } from "../design/Time.ts"
import { callerName } from "../text/Names.ts"
import { historyText, summaryOf } from "../text/rule/History.ts"
import { ruleText } from "../text/Rules.ts"
import { historyOptions, type RuleSet, versionOptions } from "./Config.ts"
import { Differences } from "./Differences.tsx"

const names = historyText.columns

/** A version. The first one has no change that created it. */
interface Version {
  readonly version: number
  readonly change: ConfigChange | null
}

const byOf = ({ changed_by: by, changed_by_user_name: name }: ConfigChange): string => callerName(by, name)

interface ColumnOptions {
  readonly current: RuleSet
  readonly onShow: (version: Version) => void
}

const columnsOf = ({ current, onShow }: ColumnOptions): ReadonlyArray<Column<Version>> => {
  const rules = new Map(current.rules.map(({ id, name }) => [id, name]))
  return [
    {
      header: names.version,
      cell: (row) => (
        <>
          <button type="button" onClick={() => onShow(row)}>
            {historyText.show(row.version)}
          </button>
          {row.version === current.version ? ` (${historyText.current})` : null}
        </>
      )
    },
    { header: names.time, cell: ({ change }) => (change === null ? null : longTime(change.changed_at)) },
    { header: names.by, cell: ({ change }) => (change === null ? null : byOf(change)), isDetail: true },
    { header: names.comment, cell: ({ change }) => change?.comment },
    {
      header: names.summary,
      cell: ({ change }) => (change === null ? historyText.first : summaryOf(change.changes, rules)),
      isDetail: true
    }
  ]
}

interface ShownProps {
  readonly shown: Version
  /** The version that is in use. */
  readonly current: RuleSet
  readonly onRestored: (saved: RuleSet) => void
}

const Restore = ({ current, old, onRestored }: { readonly old: RuleSet } & Omit<ShownProps, "shown">) => {
  const { client, tenantId } = useConnection()
  const [isAsking, setAsking] = useState(false)
  const [restore, isPending] = useAction(
    () => {
      const options = { ifMatch: current.version, comment: historyText.restoreComment(old.version) }
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
    <>
      <p>
        <button type="button" disabled={isPending} onClick={() => setAsking(true)}>
          {historyText.restore(old.version)}
        </button>
      </p>
      <p>{historyText.effect(current.version)}</p>
      <Differences
        before={current.rules}
        after={old.rules}
        same={historyText.same}
        jsonTitle={historyText.jsonEffect(old.version, current.version)}
      />
      {isAsking ? (
        <Confirm
          title={historyText.restore(old.version)}
          message={historyText.restoreHelp}
          action={historyText.restoreAction}
          onClose={() => setAsking(false)}
          onConfirm={() => restore(undefined)}
        />
      ) : null}
    </>
  )
}

/** What a version changed, compared with the version on which it was based. */
const Changed = ({ change, saved }: { readonly change: ConfigChange; readonly saved: RuleSet }) => {
  const former = useQuery(versionOptions(useConnection(), change.from_version))
  return (
    <>
      <h3>{historyText.changed}</h3>
      <Loaded query={former}>
        {(before) => (
          <Differences
            before={before.rules}
            after={saved.rules}
            same={historyText.unchanged}
            jsonTitle={historyText.jsonChange(saved.version)}
          />
        )}
      </Loaded>
    </>
  )
}

interface VersionProps extends ShownProps {
  readonly onClose: () => void
}

/** One version: who saved it, what restoring it would change, and what it changed. */
const VersionPart = ({ current, onClose, onRestored, shown: { change, version } }: VersionProps) => {
  const saved = useQuery(versionOptions(useConnection(), version))
  return (
    <Section title={historyText.title(version)}>
      <p>
        <button type="button" onClick={onClose}>
          {historyText.close}
        </button>
      </p>
      <p>{change === null ? historyText.first : historyText.savedBy(byOf(change), longTime(change.changed_at))}</p>
      {change?.comment === null || change === null ? null : <p>{change.comment}</p>}
      <Loaded query={saved}>
        {(old) => (
          <>
            {version === current.version ? null : <Restore old={old} current={current} onRestored={onRestored} />}
            {change === null ? null : <Changed change={change} saved={old} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

/** Returns the versions with the first one at the end, once all changes are read. */
const versionsOf = (changes: ReadonlyArray<ConfigChange>, hasMore: boolean): ReadonlyArray<Version> => {
  const first = hasMore ? undefined : changes.at(-1)?.from_version
  const rows = changes.map((change) => ({ version: change.version, change }))
  return first === undefined || first < 1 ? rows : [...rows, { version: first, change: null }]
}

/** The versions of the configuration with their rules. An earlier version can be restored. */
export const History = ({ current, onRestored }: Omit<ShownProps, "shown">) => {
  const [shown, setShown] = useState<Version | null>(null)
  const list = useRows(historyOptions(useConnection()))
  const restored = (saved: RuleSet): void => {
    setShown(null)
    list.onRetry()
    onRestored(saved)
  }
  return (
    <>
      {shown === null ? null : (
        <VersionPart
          key={shown.version}
          shown={shown}
          current={current}
          onClose={() => setShown(null)}
          onRestored={restored}
        />
      )}
      <ShownRows list={list} empty={<Empty>{historyText.empty}</Empty>}>
        {(changes) => (
          <Table
            label={historyText.list}
            columns={columnsOf({ current, onShow: setShown })}
            rows={versionsOf(changes, list.hasMore)}
            keyOf={({ version }) => String(version)}
            hasMore={list.hasMore}
            onMore={list.onMore}
          />
        )}
      </ShownRows>
    </>
  )
}
