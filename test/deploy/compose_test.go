package deploy_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// composeService is what the test reads of a service in compose.yaml.
type composeService struct {
	Image       string
	Command     any
	ReadOnly    bool              `yaml:"read_only"`
	CapDrop     []string          `yaml:"cap_drop"`
	Environment map[string]string `yaml:"environment"`
	Healthcheck struct {
		Test    any
		Disable bool
	}
	DependsOn map[string]struct{ Condition string } `yaml:"depends_on"`
	Volumes   []string
}

// TestCompose checks the structure of compose.yaml: which services there are, that all of them are
// restricted alike and start in an order, and that no secret has a default.
func TestCompose(t *testing.T) {
	text := readFile(t, "deploy/compose.yaml")
	var file struct {
		Services map[string]composeService
		Volumes  map[string]any
	}
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"gateway1", "gateway2", "gateway3", "work", "haproxy", "postgres", "redis", "storage"} {
		if file.Services[name].Image == "" {
			t.Errorf("there is no service %s with an image", name)
		}
	}
	shared := file.Services["gateway1"]
	for _, name := range []string{"gateway1", "gateway2", "gateway3", "work"} {
		service := file.Services[name]
		if !service.ReadOnly || !slices.Contains(service.CapDrop, "ALL") {
			t.Errorf("%s can write to its root or has capabilities", name)
		}
		for setting, value := range shared.Environment {
			if service.Environment[setting] != value {
				t.Errorf("%s has another %s than gateway1", name, setting)
			}
		}
		if isWorker := name == "work"; service.Healthcheck.Disable != isWorker || (service.Healthcheck.Test == nil) != isWorker {
			t.Errorf("the health check of %s is %v", name, service.Healthcheck)
		}
	}
	for name, service := range file.Services {
		for other, of := range service.DependsOn {
			target, ok := file.Services[other]
			if !ok || of.Condition == "service_healthy" && target.Healthcheck.Test == nil {
				t.Errorf("%s waits until %s is healthy, which has no health check", name, other)
			}
		}
		for _, volume := range service.Volumes {
			source, _, _ := strings.Cut(volume, ":")
			if _, ok := file.Volumes[source]; !ok && !strings.HasPrefix(source, "./") {
				t.Errorf("%s has the volume %s, which is not declared", name, source)
			}
		}
	}
	for _, use := range regexp.MustCompile(`\$\{(\w+)[^}]*\}`).FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(use[0], "${"+use[1]+":?") {
			t.Errorf("%s has a default or may be empty", use[0])
		}
	}
	for _, line := range strings.Split(text, "\n") {
		name, value, isPair := strings.Cut(strings.TrimSpace(line), ": ")
		if isPair && regexp.MustCompile(`(PASSWORD|SECRET|SECRET_ACCESS_KEY|SEAL_KEY|AUTH)$`).MatchString(name) &&
			!strings.HasPrefix(value, "${") {
			t.Errorf("%s is not from the environment", name)
		}
	}
}

// TestImage checks the Dockerfile: the last stage has no shell, no root, and the check that Docker
// runs itself.
func TestImage(t *testing.T) {
	stages := strings.Split(readFile(t, "Dockerfile"), "\nFROM ")
	last := stages[len(stages)-1]
	for _, needed := range []string{"distroless/static", ":nonroot", "ROSTRUM_FONT_DIR=/usr/share/rostrum/font",
		`HEALTHCHECK`, `CMD ["/usr/bin/rostrum", "ready"]`, `ENTRYPOINT ["/usr/bin/rostrum"]`} {
		if !strings.Contains(last, needed) {
			t.Errorf("the last stage has no %s", needed)
		}
	}
	if strings.Contains(last, "\nRUN ") {
		t.Error("the last stage runs programs, and it has no shell")
	}
	if !strings.Contains(readFile(t, ".dockerignore"), "node_modules") {
		t.Error("the build's context has node_modules")
	}
}
