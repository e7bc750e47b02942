package check

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"
)

// replicated returns the Deployment of deploy/kubernetes under the patch of deploy/kubernetes-replicas, as Kustomize makes it. A field that the API does not
// have fails the test.
func replicated(t *testing.T) *apps.Deployment {
	t.Helper()
	was, err := json.Marshal(manifests(t)["Deployment"])
	if err != nil {
		t.Fatal(err)
	}
	patch, err := yaml.YAMLToJSON([]byte(read(t, "kubernetes-replicas/deployment.yaml")))
	if err != nil {
		t.Fatal(err)
	}
	merged, err := strategicpatch.StrategicMergePatch(was, patch, apps.Deployment{})
	if err != nil {
		t.Fatal(err)
	}
	d := &apps.Deployment{}
	if err := yaml.UnmarshalStrict(merged, d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestReplicas: several pods share a database and a bucket, and have no volume that only one can open. The keys come from secrets, as files that the server
// takes: for its group, in a folder that nobody but root can write.
func TestReplicas(t *testing.T) {
	d := replicated(t)
	if *d.Spec.Replicas < 2 || d.Spec.Strategy.Type != apps.RollingUpdateDeploymentStrategyType || d.Spec.Strategy.RollingUpdate.MaxUnavailable.IntValue() != 0 {
		t.Errorf("%d replicas, replaced by %+v", *d.Spec.Replicas, d.Spec.Strategy)
	}
	pod := d.Spec.Template.Spec
	volumes := map[string]core.Volume{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = v
		if v.PersistentVolumeClaim != nil {
			t.Errorf("the volume %s is of one pod", v.Name)
		}
		if v.Secret != nil && *v.Secret.DefaultMode != 0o440 {
			t.Errorf("the files of %s have the mode %04o", v.Name, *v.Secret.DefaultMode)
		}
	}
	if pod.SecurityContext.FSGroup == nil || !*pod.SecurityContext.RunAsNonRoot {
		t.Errorf("security of the pod: %+v", pod.SecurityContext)
	}
	c := pod.Containers[0]
	env := map[string]core.EnvVar{}
	for _, e := range c.Env {
		env[e.Name] = e
	}
	keys := env["CTX_MCP_KEYS_DIR"].Value
	mounted := map[string]string{}
	for _, m := range c.VolumeMounts {
		v, there := volumes[m.Name]
		if !there {
			t.Errorf("there is no volume %s", m.Name)
		}
		mounted[m.MountPath] = m.Name
		if v.Secret != nil && (!m.ReadOnly || m.MountPath == keys) {
			t.Errorf("the mount %+v can be written, or is the folder of the keys, which everybody could write", m)
		}
	}
	for _, file := range []string{"redaction.key", "receipts/keys"} {
		if mounted[path.Join(keys, file)] == "" {
			t.Errorf("%s is not mounted: %v", file, slices.Sorted(maps.Keys(mounted)))
		}
	}
	set := []string{"CTX_MCP_KEYS_DIR=" + keys}
	for name, value := range map[string]string{"CTX_MCP_STORE": "postgres://ctx@db.example.org/ctx", "CTX_MCP_BLOBS": "s3://bucket/prefix"} {
		if from := env[name].ValueFrom; from == nil || from.SecretKeyRef == nil {
			t.Errorf("%s comes from no secret", name)
		}
		set = append(set, name+"="+value)
	}
	is := inForce(t, set)
	for name, want := range map[string]string{"keys_dir": "$CTX_MCP_KEYS_DIR", "store": "$CTX_MCP_STORE", "blobs": "$CTX_MCP_BLOBS"} { // the source of each
		if !slices.Contains(is[name], want) {
			t.Errorf("%s is %v, want %s", name, is[name], want)
		}
	}
	var gone struct {
		Patch    string `json:"$patch"`
		Kind     string
		Metadata struct{ Name string }
	}
	if err := yaml.Unmarshal([]byte(read(t, "kubernetes-replicas/volume.yaml")), &gone); err != nil || gone.Patch != "delete" {
		t.Errorf("volume.yaml: %+v, %v", gone, err)
	}
	claim, ok := manifests(t)[gone.Kind].(*core.PersistentVolumeClaim)
	if !ok || claim.Name != gone.Metadata.Name {
		t.Errorf("volume.yaml takes %s %s away, which is not there", gone.Kind, gone.Metadata.Name)
	}
}
