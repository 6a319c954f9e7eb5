package ci

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

const curation = `version: 1
tools:
  find_toys:
    from: "ability:acme/find-toys"
    args: { "*": hidden, age: { maximum: 12 } }
  toys: { from: "ability:acme/find-toys" }
`

// plugin is a version of one that publishes an ability with an argument of that
// name.
func plugin(t *testing.T, argument string) {
	t.Helper()
	const code = `<?php
add_action( 'wp_abilities_api_categories_init', function () {
	wp_register_ability_category( 'acme', array( 'label' => 'Acme', 'description' => 'Toys.' ) );
} );
add_action( 'wp_abilities_api_init', function () {
	wp_register_ability( 'acme/find-toys', array(
		'label' => 'Find toys', 'description' => 'Find toys for a child.', 'category' => 'acme',
		'input_schema' => array( 'type' => 'object', 'properties' => array( 'ARGUMENT' => array( 'type' => 'integer', 'description' => 'How old the child is.', 'maximum' => 99 ) ) ),
		'execute_callback' => fn() => array(), 'permission_callback' => '__return_true',
		'meta' => array( 'show_in_rest' => true, 'annotations' => array( 'readonly' => true ) ),
	) );
} );
`
	dir := filepath.Join(os.Getenv("TOOLPRESS_TEST_DIR"), "wordpress", "wp-content", "mu-plugins")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the site's files are not here")
	}
	// PHP keeps what it has compiled of a file for a while: each version is another.
	old, err := filepath.Glob(filepath.Join(dir, "acme-toys-*.php"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range old {
		_ = os.Remove(name)
	}
	versions++
	name := filepath.Join(dir, fmt.Sprintf("acme-toys-%d.php", versions))
	t.Cleanup(func() { _ = os.Remove(name) })
	if err := os.WriteFile(name, []byte(strings.ReplaceAll(code, "ARGUMENT", argument)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// versions counts those of the plugin.
var versions int

// repository is an agency's, as it was before a plugin's update.
func repository(t *testing.T) *runner {
	t.Helper()
	plugin(t, "age")
	r := newRunner(t, map[string]string{"curation.yaml": curation})
	r.toolpress("discover", "--kept", "--curation", "curation.yaml", "-o", "site.json")
	r.toolpress("generate", "--from", "site.json", "-o", "catalog.json")
	r.commit("the catalog")
	r.git("fetch", "--quiet")
	return r
}

var (
	secrets = map[string]string{"site": os.Getenv("TOOLPRESS_TEST_SITE"), "user": os.Getenv("TOOLPRESS_TEST_EDITOR_USER"), "password": os.Getenv("TOOLPRESS_TEST_EDITOR_PASSWORD")}
	pull    = map[string]string{"github.base_ref": "main", "github.event.pull_request.number": "7"}
)

// A plugin's update renames an argument. The run fails, names the tool and what
// broke, and says it once in the pull request.
func TestPluginUpdate(t *testing.T) {
	r := repository(t)
	if code, said := r.action(secrets, pull); code != 0 || !strings.Contains(said, "::notice title=toolpress diff::nothing changed") {
		t.Fatalf("nothing changed: exit %d\n%s", code, said)
	}
	plugin(t, "child_age")
	code, said := r.action(secrets, pull)
	t.Logf("the run:\n%s\nthe summary:\n%s", said, read(r.summary))
	for _, want := range []string{
		"::error title=breaking%3A toys::age: the argument is gone [the site]\n",
		"::notice title=additive%3A toys::child_age: a new argument [the site]\n",
		"::error file=curation.yaml,line=5,col=26,title=breaking%3A find_toys::the tool is gone (ability:acme/find-toys): what is set on it has errors: curation.yaml:5:26: ability:acme/find-toys has no argument \"age\" [the site]\n",
		"::error file=curation.yaml,line=5,col=26,title=tool::ability:acme/find-toys has no argument \"age\"%0Ahint: its arguments are child_age\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said", want)
		}
	}
	if code != 5 {
		t.Errorf("exit %d", code)
	}
	for _, want := range []string{
		"### Tools of the site: 2 breaking, 1 additive: a major version\n",
		"| breaking | toys | `age`: the argument is gone | the site |\n",
		"The site was asked. Compared with main.\n",
		"`catalog.json` is not what is given now.",
	} {
		if !strings.Contains(read(r.asked), want) || !strings.Contains(read(r.summary), want) {
			t.Errorf("%q is not in the comment, or not in the summary:\n%s", want, read(r.asked))
		}
	}
	if !strings.Contains(read(r.asked), "gh api --method POST repos/agency/shop/issues/7/comments --field body=@") {
		t.Errorf("no comment was written:\n%s", read(r.asked))
	}
	if strings.Contains(said+read(r.asked), secrets["password"]) {
		t.Error("the password is said")
	}
	if code, said := r.action(merged(secrets, "fail-on", "never"), pull); code != 0 {
		t.Errorf("fail-on never: exit %d\n%s", code, said)
	}
	if code, said := r.action(merged(secrets, "fail-on", "breaking"), pull); code != 3 {
		t.Errorf("fail-on breaking: exit %d\n%s", code, said)
	}
}

// A pull request from a fork has no secrets: the recording stands for the site, and
// an edit of the curation is told at its line.
func TestFork(t *testing.T) {
	r := repository(t)
	plugin(t, "child_age") // which nobody asks about
	r.write("curation.yaml", strings.Replace(curation, "maximum: 12", "maximum: 9", 1))
	code, said := r.action(map[string]string{"site": secrets["site"]}, pull)
	t.Logf("the run:\n%s\nthe summary:\n%s", said, read(r.summary))
	if code != 5 || !strings.Contains(said, "::error file=curation.yaml,line=5,col=33,title=breaking%3A find_toys::age: maximum is 9 instead of 12 [the curation]\n") {
		t.Errorf("exit %d", code)
	}
	if !strings.Contains(read(r.summary), "There is no credential here: the recording that is committed stands for the site. Compared with main.") {
		t.Error("the summary does not say how")
	}
	// The edit with its catalog is no drift, and the comment says what it changes.
	r.toolpress("generate", "--from", "site.json", "-o", "catalog.json")
	code, _ = r.action(nil, pull)
	if code != 0 || !strings.Contains(read(r.summary), "`age`: maximum is 9 instead of 12 | the curation, `curation.yaml:5:33`") {
		t.Errorf("exit %d\n%s", code, read(r.summary))
	}
	r.git("rm", "--quiet", "site.json")
	if code, said := r.action(nil, pull); code != 2 || !strings.Contains(said, "there is no credential, and no recording site.json: commit one") {
		t.Errorf("exit %d\n%s", code, said)
	}
}

// GitLab's job, with the same script: the script lines as they are published.
func TestGitLab(t *testing.T) {
	r := repository(t)
	plugin(t, "child_age")
	var file map[string]struct {
		Variables                 map[string]string
		Script                    []string
		AfterScript, BeforeScript []string `yaml:",flow"`
	}
	text := read(filepath.Join(root, "docs", "ci", "gitlab.yml"))
	if err := yaml.Unmarshal([]byte(strings.NewReplacer("after_script:", "afterscript:", "before_script:", "beforescript:").Replace(text)), &file); err != nil {
		t.Fatal(err)
	}
	job := file["toolpress"]
	source, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{
		"CI_PROJECT_DIR": r.temp, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_IID": "7", "CI_PROJECT_ID": "12", "CI_API_V4_URL": "https://gitlab.example/api/v4",
		"TOOLPRESS_COMMENT_TOKEN": "glpat", "TOOLPRESS_SITE": secrets["site"], "TOOLPRESS_USER": secrets["user"], "TOOLPRESS_PASSWORD": secrets["password"],
	}
	for name, value := range job.Variables {
		env[name] = os.Expand(value, func(name string) string { return env[name] })
	}
	// What is cloned and built is this checkout.
	if len(job.BeforeScript) != 2 || !strings.HasPrefix(job.BeforeScript[0], "git clone") {
		t.Fatalf("%q", job.BeforeScript)
	}
	if err := os.MkdirAll(env["WORK"], 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(source, filepath.Join(env["WORK"], "source")); err != nil {
		t.Fatal(err)
	}
	if code, said := r.step(job.BeforeScript[1], env); code != 0 {
		t.Fatal(said)
	}
	code, said := r.step(strings.Join(job.Script, "\n"), env)
	if code != 5 || !strings.Contains(said, "age: the argument is gone") {
		t.Errorf("exit %d\n%s", code, said)
	}
	if code, said := r.step(strings.Join(job.AfterScript, "\n"), env); code != 0 {
		t.Errorf("exit %d\n%s", code, said)
	}
	if asked := read(r.asked); !strings.Contains(asked, "https://gitlab.example/api/v4/projects/12/merge_requests/7/notes") || !strings.Contains(asked, "`age`: the argument is gone") {
		t.Errorf("%s", asked)
	}
}

func merged(values map[string]string, name, value string) map[string]string {
	all := map[string]string{name: value}
	maps.Copy(all, values)
	return all
}
