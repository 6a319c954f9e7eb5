package main

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"syscall"

	"toolpress/runtime"
	"toolpress/runtime/watch"
)

// outlet is where clients and the operator reach the server: listeners, or nil for
// the standard streams, and for no operator.
type outlet struct {
	listener, admin net.Listener
	audit           io.Writer // nil: none
	hangups         hangups
}

// outlet takes the ports and opens the audit, before the site is asked: a port that
// is busy and a file that cannot be written are told first.
func (a *app) outlet(s *source, f serveFlags) (out *outlet, err error) {
	out = &outlet{hangups: hearHangups()}
	if !f.stdio {
		if err := s.checkListen(f); err != nil {
			return nil, err
		}
		if _, err := s.webhookSecret(); err != nil {
			return nil, err
		}
	}
	if out.audit, err = a.openAudit(f); err != nil {
		return nil, err
	}
	if !f.stdio {
		if out.listener, err = listen("--listen", f.listen); err != nil {
			out.close()
			return nil, err
		}
	}
	if f.adminListen != "" {
		if out.admin, err = listen("--admin-listen", ownMachine(f.adminListen)); err != nil {
			out.close()
			return nil, err
		}
	}
	return out, nil
}

func (o *outlet) close() {
	if file, ok := o.audit.(*auditFile); ok {
		_ = file.Close() // what was written is written
	}
	for _, l := range []net.Listener{o.listener, o.admin} {
		if l != nil {
			_ = l.Close() // the server has closed it already, where it ran
		}
	}
}

// attend serves clients and the operator until ctx ends, and follows the curation and
// the site meanwhile.
func (a *app) attend(ctx context.Context, reload *reloader, f serveFlags, out *outlet) (err error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	watching, stop := context.WithCancel(ctx)
	admin, stopAdmin := context.WithCancel(context.WithoutCancel(ctx))
	var beside sync.WaitGroup
	beside.Go(func() {
		defer close(reload.ended)
		loop := &watch.Loop{
			Read: reload.read, Changed: reload.changed, Poll: f.poll, Ask: reload.ask, Soon: reload.soon,
			Again: reload.again, Reread: reload.reread,
		}
		loop.Run(watching)
	})
	beside.Go(func() { reload.onHangup(watching, out.hangups, end) })
	if out.admin != nil {
		beside.Go(func() { a.serveAdmin(admin, reload, out.admin) })
	}
	if out.listener == nil {
		err = reload.server.ServeStdio(ctx, f.profile, a.stdin, a.stdout)
		if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
			err = nil // the client is gone: that is how it ends
		}
	} else {
		err = reload.server.Serve(ctx, out.listener)
	}
	stop()
	stopAdmin()
	beside.Wait()
	return err
}

// serveAdmin serves the operator. Where that fails, clients are served all the same.
func (a *app) serveAdmin(ctx context.Context, reload *reloader, l net.Listener) {
	operator := runtime.Operator{Status: reload.status, Reload: func(ctx context.Context, accept bool) (runtime.Reloaded, error) {
		return reload.reload(ctx, "POST /-/reload", accept)
	}}
	if err := reload.server.ServeAdmin(ctx, l, operator); err != nil {
		a.say("%v", err)
	}
}
