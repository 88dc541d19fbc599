// Package browsertest opens pages in a headless Chromium for tests, which fail where a page runs a
// script that it should not, opens a dialog, complains, or asks for anything that it was not allowed.
package browsertest

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience bounds a test in the browser, its start included: a slow machine takes some seconds.
const patience = 2 * time.Minute

// Page is a tab. Run actions with chromedp.Run(p.Context, ...) and chromedp.Do.
type Page struct {
	// Context is the tab's, for chromedp.
	Context context.Context

	mu       sync.Mutex
	told     []string // console errors, exceptions and what the policy refused
	dialogs  []string
	strayed  []string // addresses that were not allowed
	accepted func(address string) bool
}

// Open starts a browser with one empty tab, which ends with the test. allowed says which addresses may
// be asked for; every other one is refused and noted.
func Open(t testing.TB, allowed func(address string) bool) *Page {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Fatal("there is no chromium: make tools installs it")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("disable-gpu", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"), chromedp.WindowSize(1280, 900),
	)
	if os.Geteuid() == 0 { // Chromium's own sandbox does not work for root
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	ctx, stop := chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(ctx)
	p := &Page{Context: ctx, accepted: allowed}
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser, so that its folder can be removed
		end()
	})
	if err := p.start(); err != nil {
		t.Fatalf("starting chromium: %v", err)
	}
	return p
}

// start has the browser tell what the page does, and ask before each request.
func (p *Page) start() error {
	if err := chromedp.Listen(p.Context, p.hear); err != nil {
		return err
	}
	if _, err := chromedp.Call(p.Context, log.Enable, cdp.Empty{}); err != nil {
		return err
	}
	if _, err := chromedp.Call(p.Context, runtime.Enable, cdp.Empty{}); err != nil {
		return err
	}
	if _, err := chromedp.Call(p.Context, page.Enable, page.EnableParams{}); err != nil {
		return err
	}
	_, err := chromedp.Call(p.Context, fetch.Enable, fetch.EnableParams{})
	return err
}

// hear takes one event of the tab. It must not wait for the browser itself.
func (p *Page) hear(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		p.told = append(p.told, text)
	case *runtime.EventConsoleAPICalled:
		var words []string
		for _, a := range e.Args {
			words = append(words, string(a.Value)+a.Description)
		}
		p.told = append(p.told, "console: "+strings.Join(words, " "))
	case *log.EventEntryAdded:
		p.told = append(p.told, string(e.Entry.Source)+": "+e.Entry.Text)
	case *page.EventJavascriptDialogOpening:
		p.dialogs = append(p.dialogs, e.Message)
		go func() {
			_, _ = chromedp.Call(p.Context, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
		}()
	case *fetch.EventRequestPaused:
		if ok := p.accepted(e.Request.URL); ok {
			go func() {
				_, _ = chromedp.Call(p.Context, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID})
			}()
			return
		}
		p.strayed = append(p.strayed, e.Request.URL)
		go func() {
			_, _ = chromedp.Call(p.Context, fetch.FailRequest, fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: network.ErrorReasonBlockedByClient})
		}()
	}
}

func (p *Page) list(of *[]string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(*of)
}

// Told returns exceptions, console messages and complaints of the browser, such as what a policy refused.
func (p *Page) Told() []string { return p.list(&p.told) }

// Dialogs returns the texts of dialogs that the page opened.
func (p *Page) Dialogs() []string { return p.list(&p.dialogs) }

// Strayed returns the addresses that the page asked for and was refused.
func (p *Page) Strayed() []string { return p.list(&p.strayed) }

// Below allows addresses of one scheme and host (of a file: none) whose path begins like that of base.
func Below(base string) func(string) bool {
	b, err := url.Parse(base)
	return func(address string) bool {
		u, bad := url.Parse(address)
		return err == nil && bad == nil && u.Scheme == b.Scheme && u.Host == b.Host && strings.HasPrefix(u.Path, b.Path)
	}
}
