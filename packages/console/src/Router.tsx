import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect
} from "@tanstack/react-router"
import { connect, ConnectionProvider } from "./app/Connection.ts"
import "./app/MailboxReturn.ts"
import { explainMissingFile, PageFailure } from "./app/PageFailure.tsx"
import { readSession } from "./app/Session.ts"
import { Shell } from "./shell/Shell.tsx"
import { Loading, Problem } from "./component/Problem.tsx"
import { readReportFilter } from "./report/ReportFilter.ts"
import { text } from "./text/Shared.ts"
import { signInText } from "./text/SignIn.ts"
import { readCallSearch } from "./call/CallSearch.ts"
import { readContactSearch } from "./contact/ContactFilter.ts"
import { readContactTab } from "./contact/ContactTabs.ts"
import { readRunFilter } from "./decision/RunFilter.ts"
import { readFilter } from "./inbox/ListFilter.ts"
import { readLeadSearch } from "./lead/LeadSearch.ts"
import { readSearchTerms } from "./search/SearchTerms.ts"
import { readSequenceSearch } from "./sequence/SequenceSearch.ts"
import { readTaskSearch } from "./task/TaskSearch.ts"
import { SignIn } from "./session/SignIn.tsx"

/** Returns a page whose files are loaded when it is first shown. */
const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(explainMissingFile), name)

const root = createRootRoute({ component: Outlet })

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search: Record<string, unknown>) => (search["reason"] === "expired" ? { reason: "expired" } : {}),
  component: () => <SignIn notice={"reason" in signIn.useSearch() ? signInText.expired : null} />
})

/** The parent of all pages that need a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: () => {
    const session = readSession()
    // Only the document of the sign-in may send requests to the identity provider, so the server has to answer it.
    if (session === null) throw redirect({ to: "/sign-in", reloadDocument: true })
    return { connection: connect(session) }
  },
  component: () => (
    <ConnectionProvider value={signedIn.useRouteContext().connection}>
      <Shell />
    </ConnectionProvider>
  )
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/inbox" })
  }
})

const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: "/inbox",
  validateSearch: readFilter,
  component: lazyPage(() => import("./inbox/InboxPage.tsx"), "InboxPage")
})

const noConversation = createRoute({
  getParentRoute: () => inbox,
  path: "/",
  component: lazyPage(() => import("./inbox/NoConversation.tsx"), "NoConversation")
})

const conversation = createRoute({
  getParentRoute: () => inbox,
  path: "/$contactId",
  component: lazyPage(() => import("./conversation/ConversationPage.tsx"), "ConversationPage")
})

const contacts = createRoute({
  getParentRoute: () => signedIn,
  path: "/contacts",
  validateSearch: readContactSearch,
  component: lazyPage(() => import("./contact/ContactsPage.tsx"), "ContactsPage")
})

const duplicates = createRoute({
  getParentRoute: () => signedIn,
  path: "/contacts/duplicates",
  component: lazyPage(() => import("./contact/Merges.tsx"), "DuplicatesPage")
})

const contact = createRoute({
  getParentRoute: () => signedIn,
  path: "/contacts/$contactId",
  validateSearch: readContactTab,
  component: lazyPage(() => import("./contact/ContactPage.tsx"), "ContactPage")
})

const leads = createRoute({
  getParentRoute: () => signedIn,
  path: "/leads",
  validateSearch: readLeadSearch,
  component: lazyPage(() => import("./lead/LeadsPage.tsx"), "LeadsPage")
})

const lead = createRoute({
  getParentRoute: () => signedIn,
  path: "/leads/$leadId",
  component: lazyPage(() => import("./lead/LeadPage.tsx"), "LeadPage")
})

const tasks = createRoute({
  getParentRoute: () => signedIn,
  path: "/tasks",
  validateSearch: readTaskSearch,
  component: lazyPage(() => import("./task/TasksPage.tsx"), "TasksPage")
})

const task = createRoute({
  getParentRoute: () => signedIn,
  path: "/tasks/$taskId",
  component: lazyPage(() => import("./task/TaskPage.tsx"), "TaskPage")
})

const search = createRoute({
  getParentRoute: () => signedIn,
  path: "/search",
  validateSearch: readSearchTerms,
  component: lazyPage(() => import("./search/SearchPage.tsx"), "SearchPage")
})

const calls = createRoute({
  getParentRoute: () => signedIn,
  path: "/calls",
  validateSearch: readCallSearch,
  component: lazyPage(() => import("./call/CallsPage.tsx"), "CallsPage")
})

const decisions = createRoute({
  getParentRoute: () => signedIn,
  path: "/decisions",
  validateSearch: readRunFilter,
  component: lazyPage(() => import("./decision/DecisionsPage.tsx"), "DecisionsPage")
})

const decision = createRoute({
  getParentRoute: () => signedIn,
  path: "/decisions/$runId",
  component: lazyPage(() => import("./decision/DecisionPage.tsx"), "DecisionPage")
})

const rules = createRoute({
  getParentRoute: () => signedIn,
  path: "/rules",
  component: lazyPage(() => import("./rule/RulesPage.tsx"), "RulesPage")
})

const sequences = createRoute({
  getParentRoute: () => signedIn,
  path: "/sequences",
  component: lazyPage(() => import("./sequence/SequencesPage.tsx"), "SequencesPage")
})

const newSequence = createRoute({
  getParentRoute: () => signedIn,
  path: "/sequences/new",
  component: lazyPage(() => import("./sequence/NewSequencePage.tsx"), "NewSequencePage")
})

const sequence = createRoute({
  getParentRoute: () => signedIn,
  path: "/sequences/$sequenceId",
  validateSearch: readSequenceSearch,
  component: lazyPage(() => import("./sequence/SequencePage.tsx"), "SequencePage")
})

const reports = createRoute({
  getParentRoute: () => signedIn,
  path: "/reports",
  validateSearch: readReportFilter,
  component: lazyPage(() => import("./report/ReportsPage.tsx"), "ReportsPage")
})
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings",
  component: lazyPage(() => import("./settings/SettingsPage.tsx"), "SettingsPage")
})

/** The parent shows the section of the address. */
const settingsSection = createRoute({ getParentRoute: () => settings, path: "/$noun" })

const webhookDeliveries = createRoute({ getParentRoute: () => settings, path: "/webhooks/$webhookId" })

const macroSteps = createRoute({ getParentRoute: () => settings, path: "/macros/$macroId" })

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signedIn.addChildren([
      home,
      inbox.addChildren([noConversation, conversation]),
      leads,
      lead,
      tasks,
      task,
      contacts,
      duplicates,
      contact,
      calls,
      search,
      decisions,
      decision,
      rules,
      sequences,
      newSequence,
      sequence,
      reports,
      settings.addChildren([settingsSection, webhookDeliveries, macroSteps])
    ])
  ]),
  defaultPendingComponent: Loading,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: () => <Problem message={text.problem.notFound} onRetry={() => location.reload()} />,
  defaultPreload: "intent"
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
