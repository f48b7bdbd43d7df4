import "./app/DoubleClick.ts"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { createRoot } from "react-dom/client"
import { createQueries } from "./app/Connection.ts"
import "./design/base.css"
import { showTheme } from "./design/Theme.ts"
import { router } from "./Router.tsx"

showTheme()

const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no element with the id root.")
createRoot(root).render(
  <QueryClientProvider client={createQueries()}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)
