import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '../src/api/query-client.ts'
import { ErrorBoundary } from '../src/components/frame/error-boundary.tsx'
import '../src/styles/index.css'
import './gallery.css'
import { STORIES } from './stories.ts'
import type { Story } from './story.ts'

// Nothing is asked for: what a component shows is given to it.
queryClient.setDefaultOptions({ queries: { enabled: false } })

// Dialogs and panels stand in the page, side by side.
HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement): void { this.open = true }
HTMLDialogElement.prototype.show = function show(this: HTMLDialogElement): void { this.open = true }

/** `?only=frame/` draws those alone. */
const only = new URLSearchParams(location.search).get('only') ?? ''

createRoot(document.getElementById('app')!).render(
  <QueryClientProvider client={queryClient}>
    <Router>
      <main className="gallery">
        <h1>Components in their states</h1>
        {Object.entries(STORIES).filter(([component]) => component.startsWith(only)).map(([component, stories]) =>
          <section key={component} className="gallery-story" aria-label={component} id={component}>
            <h2>{component}</h2>
            {stories.map(story => <Both key={`${story.state} ${story.words}`} story={story} />)}
          </section>)}
      </main>
    </Router>
  </QueryClientProvider>
)

/** A state in both themes, side by side. */
function Both({ story }: { story: Story }) {
  return (
    <div className="gallery-story" data-state={story.state}>
      <h3>{story.state} <span className="gallery-words">{story.words}</span></h3>
      <div className="gallery-themes">
        {(['light', 'dark'] as const).map(theme =>
          <div key={theme} className={`gallery-theme gallery-${theme}`} data-theme={theme}>
            <ErrorBoundary what={`${story.state}, ${theme}`}>{story.show()}</ErrorBoundary>
          </div>)}
      </div>
    </div>
  )
}
