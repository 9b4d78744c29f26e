import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { mountUrl } from './api/mount-url.ts'
import { queryClient } from './api/query-client.ts'
import { ErrorBoundary, ForgetAnswers } from './components/frame/error-boundary.tsx'
import { applyLanguage, useLanguage } from './hooks/use-language.ts'
import { applyTheme } from './hooks/use-theme.ts'
import { applyZone } from './hooks/use-zone.ts'
import { App } from './pages/app/app.tsx'
import { loadFirstPage } from './pages/app/page-parts.ts'
import { frameTexts } from './texts/frame.ts'
import './styles/index.css'

applyTheme()
applyZone()
await Promise.all([applyLanguage(), loadFirstPage()])
createRoot(document.getElementById('app')!).render(
  <QueryClientProvider client={queryClient}>
    <ForgetAnswers.Provider value={() => queryClient.removeQueries({ type: 'inactive' })}>
      <Router base={mountUrl.pathname.replace(/\/$/, '')}>
        <Root />
      </Router>
    </ForgetAnswers.Provider>
  </QueryClientProvider>
)

function Root() {
  useLanguage()
  return <ErrorBoundary what={frameTexts.theDashboard}><App /></ErrorBoundary>
}
