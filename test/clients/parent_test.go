package clients

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/test/running"
)

// parentEra makes this binary a client that starts its arguments and then waits
// to be killed.
const parentEra = "CLIENTS_TEST_PARENT"

func parent(era string, args []string) int {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	session, err := mcp.NewClient(&mcp.Implementation{Name: "parent", Version: "1"}, nil).Connect(
		context.Background(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err == nil {
		_, err = session.ListTools(context.Background(), nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Println("connected")
	_, _ = io.Copy(io.Discard, os.Stdin) // its killer is faster
	return 1
}

// A client that is killed leaves no toolpress behind.
func TestStaleParent(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			// Both have the write end and nobody else: it ends when they have.
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			cmd := exec.Command(os.Args[0], overStdio(curation(t))...)
			cmd.Env = running.Environment(parentEra + "=" + era)
			cmd.Stderr = w
			out := &running.Log{}
			cmd.Stdout = out
			if _, err := cmd.StdinPipe(); err != nil { // it ends with this process, too
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_ = w.Close()
			said, ended := &running.Log{}, make(chan error, 1)
			go func() { _, err := io.Copy(said, r); ended <- err }()
			await(t, func() bool { return len(ended) > 0 || strings.Contains(out.String(), "connected") }, said.String)
			if len(ended) > 0 {
				t.Fatalf("they have ended already:\n%s", said)
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			select {
			case err := <-ended:
				if err != nil || !strings.HasSuffix(said.String(), "\nstopped\n") {
					t.Errorf("%v:\n%s", err, said)
				}
			case <-time.After(patience):
				t.Fatalf("toolpress outlives its parent:\n%s", said)
			}
		})
	}
}
