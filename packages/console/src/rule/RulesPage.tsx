import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { Loaded } from "../app/Loaded.tsx"
import { Page } from "../component/Page.tsx"
import { Loading } from "../component/Problem.tsx"
import { Tabs } from "../component/Tabs.tsx"
import { ruleText } from "../text/Rules.ts"
import { type RuleSet, rulesOptions } from "./Config.ts"
import { useDraft } from "./Draft.ts"
import { RuleList } from "./RuleList.tsx"
import { SaveBar } from "./SaveBar.tsx"
import { Unsaved } from "../form/Unsaved.tsx"

// Each part of the page loads with its first use, so that no part exceeds the limit of a page.
const Conflict = lazy(() => import("./Conflict.tsx").then((module) => ({ default: module.Conflict })))
const Backtest = lazy(() => import("./Backtest.tsx").then((module) => ({ default: module.Backtest })))
const TryRules = lazy(() => import("./TryRules.tsx").then((module) => ({ default: module.TryRules })))
const RuleSimulation = lazy(() =>
  import("./simulation/RuleSimulation.tsx").then((module) => ({ default: module.RuleSimulation }))
)
const History = lazy(() => import("./History.tsx").then((module) => ({ default: module.History })))

type Tab = keyof typeof ruleText.tabs

const tabs = (["rules", "test", "simulation", "history"] as const).map((tab) => [tab, ruleText.tabs[tab]] as const)

const Editor = ({ stored }: { readonly stored: RuleSet }) => {
  const [tab, setTab] = useState<Tab>("rules")
  const draft = useDraft(stored)
  return (
    <>
      <Unsaved isChanged={draft.isChanged} />
      <Suspense fallback={<Loading />}>
        {draft.conflict === null ? null : <Conflict draft={draft} theirs={draft.conflict} />}
      </Suspense>
      {draft.isChanged ? <SaveBar draft={draft} /> : null}
      <Tabs label={ruleText.title} tabs={tabs} selected={tab} onSelect={setTab}>
        {tab === "rules" ? <RuleList rules={draft.rules} saved={draft.base.rules} onChange={draft.change} /> : null}
        <Suspense fallback={<Loading />}>
          {tab === "rules" ? <TryRules rules={draft.rules} /> : null}
          {tab === "test" ? <Backtest rules={draft.rules} version={draft.base.version} /> : null}
          {tab === "simulation" ? <RuleSimulation rules={draft.rules} saved={draft.base.rules} /> : null}
          {tab === "history" ? <History current={draft.base} onRestored={draft.restart} /> : null}
        </Suspense>
      </Tabs>
    </>
  )
}

/** The rules of the tenant, and their editor. */
export const RulesPage = () => {
  const stored = useQuery(rulesOptions(useConnection()))
  return (
    <Page title={ruleText.title} actions={stored.data === undefined ? null : ruleText.version(stored.data.version)}>
      <Loaded query={stored}>{(rules) => <Editor stored={rules} />}</Loaded>
    </Page>
  )
}
