import type { View } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useMemo, useState } from "react"
import { type Command, useOfferedCommands } from "../app/Commands.ts"
import { useConnection } from "../app/Connection.ts"
import { inboxText } from "../text/Inbox.ts"
import { filterOfView, isSameFilter, type ListFilter } from "./ListFilter.ts"
import { useViewChange, viewsKey } from "./ViewChange.ts"

const Confirm = lazy(() => import("../dialog/Confirm.tsx").then((module) => ({ default: module.Confirm })))
const SaveView = lazy(() => import("./SaveView.tsx").then((module) => ({ default: module.SaveView })))

/** The number of views that a key opens: `g 1` to `g 9`. */
const maxKeys = 9

const noViews: ReadonlyArray<View> = []

const useViews = (): ReadonlyArray<View> => {
  const { client, tenantId } = useConnection()
  const views = useQuery({
    queryKey: viewsKey(tenantId),
    queryFn: async ({ signal }) => (await client.views.list(tenantId, { signal })).views
  })
  return views.data ?? noViews
}

/** The actions for the view whose filters are set. */
const ViewActions = ({ view }: { readonly view: View }) => {
  const { client, tenantId } = useConnection()
  const [isRemoving, setRemoving] = useState(false)
  const change = useViewChange()
  const { id, name, shared } = view
  return (
    <>
      <button type="button" onClick={() => change(() => client.views.update(tenantId, id, { shared: !shared }))}>
        {shared ? inboxText.views.unshare : inboxText.views.share}
      </button>
      <button type="button" onClick={() => setRemoving(true)}>
        {inboxText.views.remove}
      </button>
      <Suspense>
        {isRemoving ? (
          <Confirm
            title={inboxText.views.remove}
            message={inboxText.views.confirm(name)}
            action={inboxText.views.remove}
            onConfirm={() => change(() => client.views.remove(tenantId, id))}
            onClose={() => setRemoving(false)}
          />
        ) : null}
      </Suspense>
    </>
  )
}

const SaveAction = ({ filter }: { readonly filter: ListFilter }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {inboxText.views.save}
      </button>
      <Suspense>{isOpen ? <SaveView filter={filter} onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  )
}

interface ViewsProps {
  readonly filter: ListFilter
  readonly onChoose: (filter: ListFilter) => void
}

const useViewKeys = (views: ReadonlyArray<View>, onChoose: ViewsProps["onChoose"]): void =>
  useOfferedCommands(
    useMemo(
      () =>
        views.slice(0, maxKeys).map((view, index): Command => ({
          label: inboxText.views.open(view.name),
          hint: `g ${index + 1}`,
          pick: () => onChoose(filterOfView(view))
        })),
      [views, onChoose]
    )
  )

/** The saved views of the person. Choosing one replaces all filters. */
export const Views = ({ filter, onChoose }: ViewsProps) => {
  const views = useViews()
  useViewKeys(views, onChoose)
  const active = views.find((view) => isSameFilter(filterOfView(view), filter))
  const choose = (id: string): void => {
    const view = views.find((one) => one.id === id)
    onChoose(view === undefined ? {} : filterOfView(view))
  }
  return (
    <>
      {views.length === 0 ? null : (
        <select aria-label={inboxText.view} value={active?.id ?? ""} onChange={(event) => choose(event.target.value)}>
          <option value="">{inboxText.allViews}</option>
          {views.map(({ count, count_is_exact, id, name }) => (
            <option key={id} value={id}>
              {name} ({count}
              {count_is_exact ? "" : "+"})
            </option>
          ))}
        </select>
      )}
      {active === undefined ? null : <ViewActions view={active} />}
      {active !== undefined || Object.keys(filter).length === 0 ? null : <SaveAction filter={filter} />}
    </>
  )
}
