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
import { readSession } from "./app/Session.ts"
import { Shell } from "./app/Shell.tsx"
import { Loading } from "./component/Problem.tsx"
import { readReportFilter } from "./report/ReportFilter.ts"
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
  component: lazyRouteComponent(() => import("./inbox/InboxPage.tsx"), "InboxPage")
})

const noConversation = createRoute({
  getParentRoute: () => inbox,
  path: "/",
  component: lazyRouteComponent(() => import("./inbox/NoConversation.tsx"), "NoConversation")
})

const conversation = createRoute({
  getParentRoute: () => inbox,
  path: "/$contactId",
  component: lazyRouteComponent(() => import("./conversation/ConversationPage.tsx"), "ConversationPage")
})

const contacts = createRoute({
  getParentRoute: () => signedIn,
  path: "/contacts",
  validateSearch: readContactSearch,
  component: lazyRouteComponent(() => import("./contact/ContactsPage.tsx"), "ContactsPage")
})

const duplicates = createRoute({
  getParentRoute: () => signedIn,
  path: "/contacts/duplicates",
  component: lazyRouteComponent(() => import("./contact/Merges.tsx"), "DuplicatesPage")
})

const contact = createRoute({
  getParentRoute: () => signedIn,
  path: "/contacts/$contactId",
  validateSearch: readContactTab,
  component: lazyRouteComponent(() => import("./contact/ContactPage.tsx"), "ContactPage")
})

const leads = createRoute({
  getParentRoute: () => signedIn,
  path: "/leads",
  validateSearch: readLeadSearch,
  component: lazyRouteComponent(() => import("./lead/LeadsPage.tsx"), "LeadsPage")
})

const lead = createRoute({
  getParentRoute: () => signedIn,
  path: "/leads/$leadId",
  component: lazyRouteComponent(() => import("./lead/LeadPage.tsx"), "LeadPage")
})

const tasks = createRoute({
  getParentRoute: () => signedIn,
  path: "/tasks",
  validateSearch: readTaskSearch,
  component: lazyRouteComponent(() => import("./task/TasksPage.tsx"), "TasksPage")
})

const task = createRoute({
  getParentRoute: () => signedIn,
  path: "/tasks/$taskId",
  component: lazyRouteComponent(() => import("./task/TaskPage.tsx"), "TaskPage")
})

const search = createRoute({
  getParentRoute: () => signedIn,
  path: "/search",
  validateSearch: readSearchTerms,
  component: lazyRouteComponent(() => import("./search/SearchPage.tsx"), "SearchPage")
})

const calls = createRoute({
  getParentRoute: () => signedIn,
  path: "/calls",
  validateSearch: readCallSearch,
  component: lazyRouteComponent(() => import("./call/CallsPage.tsx"), "CallsPage")
})

const decisions = createRoute({
  getParentRoute: () => signedIn,
  path: "/decisions",
  validateSearch: readRunFilter,
  component: lazyRouteComponent(() => import("./decision/DecisionsPage.tsx"), "DecisionsPage")
})

const decision = createRoute({
  getParentRoute: () => signedIn,
  path: "/decisions/$runId",
  component: lazyRouteComponent(() => import("./decision/DecisionPage.tsx"), "DecisionPage")
})

const rules = createRoute({
  getParentRoute: () => signedIn,
  path: "/rules",
  component: lazyRouteComponent(() => import("./rule/RulesPage.tsx"), "RulesPage")
})

const sequences = createRoute({
  getParentRoute: () => signedIn,
  path: "/sequences",
  component: lazyRouteComponent(() => import("./sequence/SequencesPage.tsx"), "SequencesPage")
})

const newSequence = createRoute({
  getParentRoute: () => signedIn,
  path: "/sequences/new",
  component: lazyRouteComponent(() => import("./sequence/NewSequencePage.tsx"), "NewSequencePage")
})

const sequence = createRoute({
  getParentRoute: () => signedIn,
  path: "/sequences/$sequenceId",
  validateSearch: readSequenceSearch,
  component: lazyRouteComponent(() => import("./sequence/SequencePage.tsx"), "SequencePage")
})

const reports = createRoute({
  getParentRoute: () => signedIn,
  path: "/reports",
  validateSearch: readReportFilter,
  component: lazyRouteComponent(() => import("./report/ReportsPage.tsx"), "ReportsPage")
})
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings/SettingsPage.tsx"), "SettingsPage")
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
  defaultPreload: "intent"
})

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router
  }
}
