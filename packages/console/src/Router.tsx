import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect
} from "@tanstack/react-router"
import { connect, ConnectionProvider } from "./app/Connection.ts"
import { readSession } from "./app/Session.ts"
import { Shell } from "./app/Shell.tsx"
import { Loading } from "./component/Problem.tsx"
import { signInText } from "./text/SignIn.ts"
import { readFilter } from "./inbox/ListFilter.ts"
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
    if (session === null) throw redirect({ to: "/sign-in" })
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

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings/SettingsPage.tsx"), "SettingsPage")
})

/** The parent shows the section of the address. */
const settingsSection = createRoute({ getParentRoute: () => settings, path: "/$noun" })

const webhookDeliveries = createRoute({ getParentRoute: () => settings, path: "/webhooks/$webhookId" })

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    signedIn.addChildren([
      home,
      inbox.addChildren([noConversation, conversation]),
      settings.addChildren([settingsSection, webhookDeliveries])
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
